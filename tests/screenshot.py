"""Takes the README's picture of results/report.html: python tests/screenshot.py, after snakemake --cores 8.

The picture says what of the sources it shows, so that a test notices when it is of yesterday.
"""

import io
import json
import sys
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "workflow/report/page.png"
# Down to the first document (pixels).
WIDTH, HEIGHT = 1100, 1500


def sources() -> str:
    """Return what decides how the page looks: its templates, and the verdicts that it counts."""
    from workflow.deepnets.records.paths import TEMPLATES
    from workflow.deepnets.records.provenance import digest_of

    return digest_of([ROOT / path for path in (*TEMPLATES, "tests/verdicts.csv")])


def main() -> None:
    """Open the page, and write what a reader sees first."""
    from workflow.deepnets.records.paths import PAGE, TEMPLATES
    from workflow.deepnets.records.provenance import digest_of
    from workflow.deepnets.records.stamps import stamp_of

    page = ROOT / PAGE
    if not page.exists():
        sys.exit(f"{PAGE} is missing; make it with: snakemake --cores 8")
    if json.loads(stamp_of(page).inputs)["templates"] != digest_of([ROOT / path for path in TEMPLATES]):
        sys.exit(f"{PAGE} is of other templates; make it again with: snakemake --cores 8 {PAGE}")
    from browser import chromium

    with chromium(width=WIDTH, height=HEIGHT) as browser:
        browser.get(page.as_uri())
        shot = Image.open(io.BytesIO(browser.get_screenshot_as_png())).convert("P", palette=Image.Palette.ADAPTIVE)
    told = PngInfo()
    told.add_text("sources", sources())
    shot.save(PICTURE, pnginfo=told, optimize=True)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size // 1000} kB")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
