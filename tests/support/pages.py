"""What pages say and show: the remarks of a verdict by a part of their text, and pictures."""

import base64
import re
import zlib

import numpy as np

from fangs.report.verdict import verdict


def words(known):
    return " ".join(remark.text for remark in verdict(known))


def kinds(known, part):
    return [remark.kind for remark in verdict(known) if part in remark.text]


def calls(known, part):
    return [str(remark.call) for remark in verdict(known) if part in remark.text]


def pixels(markup):
    """The values of each picture in a page, between -1 and 1."""
    for source in re.findall(r"data:image/png;base64,([^\"]*)", markup):
        file = base64.b64decode(source)
        width, height = (int.from_bytes(file[at : at + 4], "big") for at in (16, 20))
        body = re.search(rb"IDAT(.*).{8}IEND", file, re.S)[1]
        lines = np.frombuffer(zlib.decompress(body), np.uint8).reshape(height, width + 1)
        yield (lines[:, 1:].astype(float) - 127) / 127
