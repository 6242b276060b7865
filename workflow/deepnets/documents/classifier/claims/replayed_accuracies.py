"""Claims of document 000's mean accuracies, which are exact because the runs replay its random numbers."""

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import Printed
from deepnets.claims.section import Section
from deepnets.documents.classifier.measures import ACCURACY, accuracy_of_all
from deepnets.documents.classifier.printed import ACCURACIES
from deepnets.tables.rows import Runs

REPLAYED = (
    "The runs replay the document's random numbers, and accuracies on 100 points are whole percents. A mean over ten "
    "repetitions must therefore equal the document's mean in all printed digits."
)


def replayed_accuracy(section: Section, statement: str, runs: Runs, printed: str = "{}%", main: str = "") -> Claim:
    """Claim a mean accuracy that is exact because the runs replay the document's random numbers."""
    block = str(runs["block"])
    value = ACCURACIES[block]
    criterion = Printed(value, places=0 if value == round(value) else 1)
    return section.of(ACCURACY).number(
        f"{block}_accuracy", statement, accuracy_of_all(runs), criterion, because=REPLAYED, printed=printed, main=main
    )
