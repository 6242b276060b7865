// Search in claims by words, document, verdict, weight and kind. The address contains the search, and a link to
// this address repeats the search: #search?words=rank&verdict=not+reproduced. Without scripts, all claims are shown.
{
  const form = document.getElementById("filter");
  const claims = [...document.querySelectorAll(".claim")].map((element) => {
    const row = element.querySelector("summary");
    return { element, row, text: row.textContent.toLowerCase() };
  });
  const holders = document.querySelectorAll(".document, .picture, .claims, .folded");
  const count = form.querySelector("output");
  const prefix = "#search?";

  // Highlight words without changing the document, in browsers that support it.
  const highlight = (rows, words) => {
    if (!CSS.highlights) return;
    const ranges = [];
    for (const row of rows) {
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.data.toLowerCase();
        for (const word of words) {
          for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
            const range = new Range();
            range.setStart(node, at);
            range.setEnd(node, at + word.length);
            ranges.push(range);
          }
        }
      }
    }
    CSS.highlights.set("found", new Highlight(...ranges));
  };

  const search = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const words = wanted.words.toLowerCase().split(/\s+/).filter(Boolean);
    const picks = ["document", "verdict", "weight", "kind"].filter((name) => wanted[name] !== "");
    const searching = words.length + picks.length > 0;
    const found = [];
    for (const { element, row, text } of claims) {
      const fits =
        picks.every((name) => element.dataset[name] === wanted[name]) && words.every((word) => text.includes(word));
      element.hidden = !fits;
      if (fits) found.push(row);
    }
    for (const holder of holders) {
      holder.classList.toggle("empty", holder.querySelector(".claim:not([hidden])") === null);
      if (holder.matches(".folded")) holder.open = searching;
    }
    document.body.classList.toggle("searching", searching);
    count.textContent = searching ? `${found.length} of ${claims.length} claims` : "";
    highlight(searching ? found : [], words);
    return searching;
  };
  const remember = (searching) => {
    const state = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
    const left = location.hash.startsWith(prefix) ? "" : location.hash;
    history.replaceState(null, "", (searching ? prefix + state : left) || "#");
  };
  const restore = () => {
    if (!location.hash.startsWith(prefix)) return;
    for (const [name, value] of new URLSearchParams(location.hash.slice(prefix.length))) {
      if (form.elements[name]) form.elements[name].value = value;
    }
    search();
    form.scrollIntoView();
  };
  for (const change of ["input", "change"]) form.addEventListener(change, () => remember(search()));
  form.addEventListener("submit", (event) => event.preventDefault());
  // The event comes before the form is reset.
  form.addEventListener("reset", () => setTimeout(() => remember(search())));
  window.addEventListener("hashchange", restore);
  form.hidden = claims.length === 0;
  restore();
}
