"""What slides, turns and lasts, as plain arrays: decks, faces, joints, friction."""
