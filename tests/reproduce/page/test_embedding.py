import io
import json
import re
from urllib.parse import unquote

import matplotlib.pyplot as plt
import numpy as np
import pytest
import vl_convert
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from small_page import CHART, Elements

from conftest import FEW
from reproduce.page.embedding import address_of, script_of, size_of

HOSTILE = ["</script><script>alert(1)</script>", "<!-- <script>", "]]>", "\"'\\", "\u2028\u2029", "ü√χ", "&lt;"]


@given(
    st.recursive(
        st.text() | st.sampled_from(HOSTILE), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
@settings(max_examples=FEW)
def test_data_in_a_script_element_can_be_read_back(data):
    page = Elements(f'<script id="data">{script_of(data)}</script>')
    assert page.tags == ["script"] and json.loads(page.texts["data"]) == data


@pytest.fixture
def svg(tmp_path, off_screen):
    figure, axis = plt.subplots(figsize=(3, 2))
    axis.set_title("50 % # \"x\" & 'y' <z>")
    figure.savefig(tmp_path / "figure.svg", metadata={"Date": None})
    return (tmp_path / "figure.svg").read_text() + '<!-- provenance {"secret": 1} -->\n'


def test_a_data_address_contains_the_picture_and_no_quotation_mark(svg):
    address = address_of(svg)
    kind, _, content = address.partition(",")
    assert kind == "data:image/svg+xml"
    assert not set('"#&\n') & set(content)
    picture = unquote(content)
    assert picture.startswith("<svg") and picture.endswith("</svg>")
    assert "secret" not in picture and "metadata" not in picture
    assert picture.count("<path") == svg.count("<path") > 10
    assert len(content) < 0.7 * len(svg)
    # In pixels.
    assert size_of(svg) == (288, 192)


@pytest.mark.parametrize("kind", ["figure", "chart"])
def test_an_embedded_picture_is_the_picture(svg, kind):
    """Compare the pixels, up to a hundredth of a point."""
    if kind == "chart":
        svg = vl_convert.vegalite_to_svg({**CHART, "mark": {"type": "bar", "color": "#d55e00"}})
    picture = unquote(address_of(svg).partition(",")[2])
    drawn = [np.asarray(Image.open(io.BytesIO(vl_convert.svg_to_png(each)))).astype(int) for each in (svg, picture)]
    assert drawn[0][..., :3].min() < 30 and np.abs(drawn[0] - drawn[1]).mean() < 0.5
    # Each reference has its element, and no name is left without a reference.
    names, references = re.findall(" id='([^']*)'", picture), re.findall(r"(?:href='|url\()#([^')]*)", picture)
    assert len(names) == len(set(names)) and set(names) == set(references)
