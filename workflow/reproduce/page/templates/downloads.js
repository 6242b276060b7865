// Downloads, which the page makes without further files: pictures as SVG and PNG; charts also as Vega-Lite, and their
// data as CSV. A chart is saved as it is shown. ledger.js saves its table with the same functions.
const save = (content, name) => {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type: "application/octet-stream" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
};

const csvText = (lines) => {
  const cell = (value) => `"${String(Array.isArray(value) ? value.join(" ") : (value ?? "")).replaceAll('"', '""')}"`;
  return lines.map((cells) => cells.map(cell).join(",")).join("\n");
};

{
  const SCALE = 3; // pixels of a PNG per pixel of the page

  const pngOf = async (svg) => {
    const image = Object.assign(new Image(), { src: `data:image/svg+xml,${encodeURIComponent(svg)}` });
    await image.decode();
    const [width, height] = [SCALE * image.naturalWidth, SCALE * image.naturalHeight];
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, width, height);
    context.drawImage(image, 0, 0, width, height);
    return canvas.convertToBlob();
  };

  // One line per row of each data set, of the setting `shown` if rows have several. Blanks separate entries of a list.
  const csvOf = ({ specification: { datasets = {} }, key: shown }) => {
    const all = Object.entries(datasets).filter(([name]) => name !== "empty");
    const rows = all.flatMap(([dataset, values]) => values.map((value) => ({ dataset, ...value }))).filter(({ key = shown }) => shown === undefined || key === shown);
    const columns = [...new Set(rows.flatMap(Object.keys))];
    return csvText([columns, ...rows.map((row) => columns.map((column) => row[column]))]);
  };

  for (const picture of document.querySelectorAll(".picture")) {
    const [, svg] = picture.querySelector("img").src.match(/,(.*)/s);
    const data = picture.querySelector('script[type="application/json"]');
    const chart = () => picture.querySelector(".chart").chart?.shown() ?? { specification: JSON.parse(data.textContent) };
    const drawn = async () => (await picture.querySelector(".chart")?.view?.toSVG()) ?? decodeURIComponent(svg);
    const tables = { csv: () => csvOf(chart()), json: () => JSON.stringify(chart().specification) };
    const files = { ...(data && tables), svg: drawn, png: async () => pngOf(await drawn()) };
    for (const [kind, content] of Object.entries(files)) {
      const words = kind.toUpperCase();
      const offer = async () => save(await content(), `${picture.id}.${kind}`);
      picture.querySelector(".files").append(makeButton(words, offer, { "aria-label": `Save ${picture.id} as ${words}` }));
    }
  }
}
