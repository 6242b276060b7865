// Downloads, which the page makes without further files: pictures as SVG and PNG; charts also as Vega-Lite, and their
// data as CSV. A chart is saved as it is shown. ledger.js saves its table with the same functions.
const save = (blob, name) => {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
};

const csvText = (lines) => {
  const cell = (value) => `"${String(Array.isArray(value) ? value.join(" ") : (value ?? "")).replaceAll('"', '""')}"`;
  return lines.map((cells) => cells.map(cell).join(",")).join("\n");
};

{
  const SCALE = 3; // pixels of a PNG per pixel of the page

  const saveAsPng = async (address, name) => {
    const image = Object.assign(new Image(), { src: address });
    await image.decode();
    const [width, height] = [SCALE * image.naturalWidth, SCALE * image.naturalHeight];
    const canvas = make("canvas", { width, height });
    const context = canvas.getContext("2d");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, width, height);
    context.drawImage(image, 0, 0, width, height);
    canvas.toBlob((blob) => save(blob, name), "image/png");
  };

  // One line per row of each data set, of the setting `shown` if rows have several. Blanks separate entries of a list.
  const csvOf = (datasets, shown) => {
    const rows = Object.entries(datasets)
      .filter(([name]) => name !== "empty")
      .flatMap(([dataset, values]) => values.map((value) => ({ dataset, ...value })))
      .filter(({ key = shown }) => shown === undefined || key === shown);
    const columns = [...new Set(rows.flatMap(Object.keys))];
    return csvText([columns, ...rows.map((row) => columns.map((column) => row[column]))]);
  };

  for (const picture of document.querySelectorAll(".picture")) {
    const place = picture.querySelector(".files");
    const address = picture.querySelector("img").src;
    const data = picture.querySelector('script[type="application/json"]');
    const offer = (kind, action) => {
      const words = kind.toUpperCase();
      place.append(makeButton(words, () => action(`${picture.id}.${kind}`), { "aria-label": `Save ${picture.id} as ${words}` }));
    };
    const svg = decodeURIComponent(address.slice(address.indexOf(",") + 1));
    const drawn = async () => (await picture.querySelector(".chart")?.view?.toSVG()) ?? svg;
    if (data) {
      const chart = () => picture.querySelector(".chart").chart?.shown() ?? { specification: JSON.parse(data.textContent) };
      const csv = ({ specification: { datasets = {} }, key }) => csvOf(datasets, key);
      const json = ({ specification }) => JSON.stringify(specification);
      offer("csv", (name) => save(new Blob([csv(chart())], { type: "text/csv" }), name));
      offer("json", (name) => save(new Blob([json(chart())], { type: "application/json" }), name));
    }
    offer("svg", async (name) => save(new Blob([await drawn()], { type: "image/svg+xml" }), name));
    offer("png", async (name) => saveAsPng(`data:image/svg+xml,${encodeURIComponent(await drawn())}`, name));
  }
}
