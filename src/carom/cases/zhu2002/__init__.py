"""Cases of zhu2002: point masses on springs, and a girder that strikes its abutment."""
