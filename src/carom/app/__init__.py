"""The live explorer: a local page on which every movement of a slider is computed and drawn.

`explorer` knows what may be moved and computes an answer; `wire` packs it; `visitors` sees to it that only the latest
wish of a visitor is computed; `server` is what a browser talks to, `guard` who may talk. The page is in `page`, its
pictures are those of `carom.web`.
"""
