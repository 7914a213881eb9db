"""Cases of langlade2021: frames pulled back and shaken, rigid contact beside penalty laws."""
