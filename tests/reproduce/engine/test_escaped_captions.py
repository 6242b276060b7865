from docutils import nodes
from docutils.core import publish_doctree
from hypothesis import example, given
from hypothesis import strategies as st

from reproduce.engine.captions import as_restructured_text


def render(text):
    """Return the document that docutils makes of a caption; check that it has only paragraphs of text."""
    tree = publish_doctree(as_restructured_text(text), settings_overrides={"report_level": 5})
    assert {type(node) for node in tree.findall()} <= {nodes.document, nodes.paragraph, nodes.Text}
    return " ".join(tree.astext().split())


@given(st.lists(st.text("ab |*`_\\:-.1#\n$[]()<>=^~+'\"χ", max_size=12), max_size=6).map("".join))
@example("a ::\n\nb")
@example("::")
@example("1__")
@example("The law is P(|z| < r) = r^2, for |x| too.")
@example(
    "A *word*, `code`, ``more``, a reference_, _one and a __second__, \\n.\n\n- a list\n\n1. another\n\nTitle\n====="
)
def test_no_character_acts_as_restructured_text_markup(text):
    assert render(text) == " ".join(text.split())
