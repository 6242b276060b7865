// The tables of all results, one for each document, made from the page's statements when they are opened. Words and verdicts
// filter rows, and open the tables that have some; the head of a column sorts by it. Each row has a permanent link and its
// BibTeX entry; a button saves all rows as CSV.
for (const section of document.querySelectorAll("#ledger")) {
  const columns = ["statement", "weight", "printed", "ours", "n", "verdict"];
  const NUMBERS = ["printed", "ours", "n"]; // their largest values come first
  const read = (claim) => ({ statement: claim.querySelector(".text").textContent, ...claim.dataset, link: `#${claim.id}` });
  const saver = (words, name, text) => makeButton(words, () => save(text(), name));
  const bibtex = ({ statement, document, ours, verdict, link }) => {
    const { authors, year } = section.dataset;
    const fields = { author: `{${authors}}`, title: `{${statement}}`, year, note: `A statement of ${document}: ${ours}, ${verdict}` };
    // The path of a file on this machine is no address.
    const url = location.protocol.startsWith("http") ? `  url = {${location.origin}${location.pathname}${link}},\n` : "";
    const escaped = Object.entries(fields).map(([name, value]) => `  ${name} = {${value.replace(/[&%$#_]/g, "\\$&")}},\n`);
    return `@misc{${link.slice(1)},\n${escaped.join("")}${url}}\n`;
  };
  const lineOf = (row) => {
    const verdict = document.getElementById(row.link.slice(1)).querySelector(".verdict").cloneNode(true);
    const shown = { ...row, ours: row.ours.replace(/ \((n = |\d+ of )[^)]*\)/g, ""), statement: make("a", { href: row.link }, row.statement), verdict }; // the statement has counts and ranges
    const line = make("tr", {}, ...columns.map((column) => make("td", { "data-column": column }, shown[column])));
    line.cells[0].append(" ", saver("BibTeX", `${row.link.slice(1)}.bib`, () => bibtex(row)));
    return line;
  };
  // The first number of a text after the name of its part, such as 53 of "depth 1: 53; depth 2: 60"; NaN if there is none.
  const numberOf = (text) =>
    parseFloat(text.normalize("NFKC").replace(/^[^;:]*: |,/g, "").replaceAll("−", "-").replace(/( ± [\d.]+\))?·10/, "e").replace(/^[^\d-]+/, ""));
  const groupOf = ([name, rows]) => {
    const [head, body] = [make("tr"), make("tbody", {}, ...rows.map(({ line }) => line))];
    for (const column of columns) {
      const isNumber = NUMBERS.includes(column);
      const key = ({ row }) => (isNumber ? numberOf(row[column]) : row[column]);
      const lacks = (value) => value === "" || Number.isNaN(value);
      const sort = () => {
        const down = cell.ariaSort ? cell.ariaSort === "ascending" : isNumber;
        for (const other of head.children) other.ariaSort = other === cell ? (down ? "descending" : "ascending") : null;
        rows.sort((one, other) => lacks(key(one)) - lacks(key(other)) || (down ? -1 : 1) * ((key(one) > key(other)) - (key(one) < key(other))));
        body.append(...rows.map(({ line }) => line));
      };
      const cell = head.appendChild(make("th", { scope: "col" }, makeButton(column, sort)));
    }
    const table = make("table", { class: "across" }, make("thead", {}, head), body);
    return { rows, group: make("details", {}, make("summary", {}, `${name}: ${rows.length} statement${rows.length > 1 ? "s" : ""}`), table) };
  };
  const fill = (details) => {
    const rows = [...document.querySelectorAll(".claim")].map(read).map((row) => ({ row, line: lineOf(row) }));
    const by = (name) => [...new Set(rows.map(({ row }) => row[name]))].map((value) => [value, rows.filter(({ row }) => row[name] === value)]);
    const groups = by("document").map(groupOf);
    const chosen = new Set();
    const filter = make("input", { type: "search", "aria-label": "Words that a row contains, in any order", placeholder: "words in any order: 002 main" });
    const select = () => {
      const patterns = filter.value.toLowerCase().split(/\s+/).map((word) => new RegExp(wordPattern(word), "iu"));
      const fits = (row) => patterns.every((pattern) => pattern.test(Object.values({ ...row, verdict: "" }).join(" ")));
      for (const { rows, group } of groups) {
        for (const { row, line } of rows) line.hidden = (chosen.size && !chosen.has(row.verdict)) || !fits(row);
        group.hidden = rows.every(({ line }) => line.hidden);
        group.open = chosen.size || filter.value.trim();
      }
    };
    filter.addEventListener("input", select);
    const buttons = by("verdict").map(([verdict, { length }]) => {
      const choose = ({ target }) => {
        target.ariaPressed = chosen.delete(verdict) ? false : Boolean(chosen.add(verdict));
        select();
      };
      return makeButton(`${verdict}: ${length}`, choose, { "aria-pressed": false });
    });
    const all = () => csvText([Object.keys(rows[0].row), ...rows.map(({ row }) => Object.values(row))]);
    details.append(make("div", { class: "actions" }, filter, ...buttons, saver("Save all as CSV", "results.csv", all)), ...groups.map(({ group }) => group));
  };
  section.hidden = false;
  section.querySelector("details").addEventListener("toggle", (event) => fill(event.target), { once: true });
}
