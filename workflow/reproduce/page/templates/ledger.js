// The table of all results, made from the page's statements when it is opened: those of documents, then our own. The head of a
// column sorts by it, and words filter its rows. Each row has a permanent link and its BibTeX entry; a button saves all rows as CSV.
for (const section of document.querySelectorAll("#ledger")) {
  const columns = ["statement", "document", "weight", "quantity", "printed", "ours", "n", "verdict"];
  const read = (claim) => {
    const { document, weight, kind, quantity, printed, ours, difference, n, verdict, reduced } = claim.dataset;
    const statement = claim.querySelector(".text").textContent;
    return { statement, document, weight, kind, quantity, printed, ours, difference, n, verdict, reduced, link: `#${claim.id}` };
  };
  const saver = (words, name, text) => makeButton(words, () => save(new Blob([text()], { type: "text/plain" }), name));
  // The path of a file on this machine is no address.
  const address = location.protocol === "file:" ? "report.html" : location.origin + location.pathname;
  const bibtex = ({ statement, document, ours, verdict, link }) => {
    const { authors, year } = section.dataset;
    const fields = { author: `{${authors}}`, title: `{${statement}}`, year, note: `A statement of ${document}: ${ours}, ${verdict}` };
    const escaped = Object.entries(fields).map(([name, value]) => `  ${name} = {${value.replace(/[&%$#_]/g, "\\$&")}},\n`);
    return `@misc{${link.slice(1)},\n${escaped.join("")}  url = {${address}${link}},\n}\n`;
  };
  const lineOf = (row) => {
    const verdict = document.getElementById(row.link.slice(1)).querySelector(".verdict").cloneNode(true);
    const shown = { ...row, statement: make("a", { href: row.link }, row.statement), verdict };
    const line = make("tr", {}, ...columns.map((column) => make("td", { "data-column": column }, shown[column])));
    line.cells[0].append(" ", saver("BibTeX", `${row.link.slice(1)}.bib`, () => bibtex(row)));
    return line;
  };
  const fill = (details) => {
    const rows = [...document.querySelectorAll(".claim")].map(read).map((row) => ({ row, line: lineOf(row) }));
    rows.sort((one, other) => (one.row.weight === "ours") - (other.row.weight === "ours"));
    const [head, body] = [make("thead"), make("tbody", {}, ...rows.map(({ line }) => line))];
    for (const column of columns) {
      const sort = () => {
        const sign = cell.ariaSort === "ascending" ? -1 : 1;
        for (const other of head.children) other.ariaSort = other === cell ? (sign > 0 ? "ascending" : "descending") : null;
        rows.sort((one, other) => sign * one.row[column].localeCompare(other.row[column], "en", { numeric: true }));
        body.append(...rows.map(({ line }) => line));
      };
      const cell = make("th", { scope: "col" }, makeButton(column, sort));
      head.append(cell);
    }
    const filter = make("input", { type: "search", "aria-label": "Words that a row contains, in any order", placeholder: "words in any order: 002 main ✓" });
    filter.addEventListener("input", () => {
      const patterns = filter.value.toLowerCase().split(/\s+/).map((word) => new RegExp(wordPattern(word), "iu"));
      for (const { row, line } of rows) {
        const text = [...Object.values(row), line.lastChild.textContent].join(" ");
        line.hidden = !patterns.every((pattern) => pattern.test(text));
      }
    });
    const all = () => csvText([Object.keys(rows[0].row), ...rows.map(({ row }) => Object.values(row))]);
    details.append(filter, saver("Save all as CSV", "results.csv", all), make("table", { class: "across" }, head, body));
  };
  section.hidden = false;
  section.querySelector("details").addEventListener("toggle", (event) => fill(event.target), { once: true });
}
