// Downloads, which the page makes without further files: pictures as SVG and PNG; charts also as Vega-Lite, and their
// data as CSV. ledger.js saves its table with the same functions.
const save = (blob, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
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
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = SCALE * image.naturalWidth;
    canvas.height = SCALE * image.naturalHeight;
    const context = canvas.getContext("2d");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, name), "image/png");
  };

  // One line per row of each data set. Blanks separate the entries of a list.
  const csvOf = (datasets) => {
    const rows = Object.entries(datasets)
      .filter(([name]) => name !== "empty")
      .flatMap(([dataset, values]) => values.map((value) => ({ dataset, ...value })));
    const columns = [...new Set(rows.flatMap(Object.keys))];
    return csvText([columns, ...rows.map((row) => columns.map((column) => row[column]))]);
  };

  for (const picture of document.querySelectorAll(".picture")) {
    const place = picture.querySelector(".files");
    const address = picture.querySelector("img").src;
    const data = picture.querySelector('script[type="application/json"]');
    const offer = (kind, action) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = kind.toUpperCase();
      button.setAttribute("aria-label", `Save ${picture.id} as ${kind.toUpperCase()}`);
      button.addEventListener("click", () => action(`${picture.id}.${kind}`));
      place.append(button);
    };
    const svg = decodeURIComponent(address.slice(address.indexOf(",") + 1));
    if (data) {
      const text = data.textContent;
      offer("csv", (name) => save(new Blob([csvOf(JSON.parse(text).datasets ?? {})], { type: "text/csv" }), name));
      offer("json", (name) => save(new Blob([text], { type: "application/json" }), name));
    }
    offer("svg", (name) => save(new Blob([svg], { type: "image/svg+xml" }), name));
    offer("png", (name) => saveAsPng(address, name));
  }
}
