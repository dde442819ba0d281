"""The verification study: the tables and figures of the paper, made again."""
