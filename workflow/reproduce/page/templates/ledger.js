// The table of all results, made from the page's statements when it is opened. The head of a column sorts by it; each row
// has a permanent link; a button saves all rows as CSV.
for (const section of document.querySelectorAll("#ledger")) {
  const columns = ["statement", "document", "weight", "printed", "ours", "n", "verdict"];
  const read = (claim) => {
    const { document, weight, printed, ours, n, verdict, reduced } = claim.dataset;
    const statement = claim.querySelector(".text").textContent;
    return { statement, document, weight, printed, ours, n, verdict, reduced, link: `#${claim.id}` };
  };
  const make = (name, textContent) => Object.assign(document.createElement(name), { textContent });
  const fill = (details) => {
    const rows = [...document.querySelectorAll(".claim")].map(read);
    const [table, head, body] = ["table", "thead", "tbody"].map((name) => make(name, ""));
    const show = () => {
      body.replaceChildren();
      for (const row of rows) {
        const line = body.insertRow();
        const verdict = document.getElementById(row.link.slice(1)).querySelector(".verdict").cloneNode(true);
        const shown = { ...row, statement: Object.assign(make("a", row.statement), { href: row.link }), verdict };
        for (const column of columns) {
          const cell = line.insertCell();
          cell.dataset.column = column;
          cell.append(shown[column]);
        }
      }
    };
    for (const column of columns) {
      const cell = Object.assign(make("th", ""), { scope: "col" });
      const button = make("button", column);
      button.addEventListener("click", () => {
        const sign = cell.ariaSort === "ascending" ? -1 : 1;
        for (const other of head.children) other.ariaSort = other === cell ? (sign > 0 ? "ascending" : "descending") : null;
        rows.sort((one, two) => sign * one[column].localeCompare(two[column], "en", { numeric: true }));
        show();
      });
      cell.append(button);
      head.append(cell);
    }
    show();
    table.className = "across";
    table.append(head, body);
    const all = make("button", "Save all as CSV");
    const text = () => csvText([Object.keys(rows[0]), ...rows.map(Object.values)]);
    all.addEventListener("click", () => save(new Blob([text()], { type: "text/csv" }), "results.csv"));
    details.append(all, table);
  };
  section.hidden = false;
  section.querySelector("details").addEventListener("toggle", (event) => fill(event.target), { once: true });
}
