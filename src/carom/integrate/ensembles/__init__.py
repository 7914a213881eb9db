"""One problem many times: what varies, what the runs share, and where they are computed."""
