// The table of all results, made from the page's statements when it is opened. The head of a column sorts by it; each row
// has a permanent link; a button saves all rows as CSV.
for (const section of document.querySelectorAll("#ledger")) {
  const columns = ["statement", "document", "ours", "n", "verdict"];
  const read = (claim) => {
    const { document, ours, n, verdict } = claim.dataset;
    return { statement: claim.querySelector(".text").textContent, document, ours, n, verdict, link: `#${claim.id}` };
  };
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  const make = (name, content) => {
    const made = document.createElement(name);
    made.append(content);
    return made;
  };
  const fill = (details) => {
    const rows = [...document.querySelectorAll(".claim")].map(read);
    const [table, head, body] = ["table", "thead", "tbody"].map((name) => make(name, ""));
    const show = () => {
      body.replaceChildren();
      for (const row of rows) {
        const [line, link] = [body.insertRow(), make("a", row.statement)];
        link.href = row.link;
        for (const column of columns) line.insertCell().append(column === "statement" ? link : row[column]);
      }
    };
    for (const column of columns) {
      const cell = make("th", "");
      const button = make("button", column);
      cell.scope = "col";
      button.addEventListener("click", () => {
        const sign = cell.ariaSort === "ascending" ? -1 : 1;
        for (const other of head.children) other.ariaSort = other === cell ? (sign > 0 ? "ascending" : "descending") : null;
        rows.sort((one, two) => sign * compare(one[column], two[column]));
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
