"""What a contact force is: the power form of every published law, or a function of the user's."""
