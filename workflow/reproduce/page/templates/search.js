// Search in answers, the glossary, documents, figures, statements and errata: all words, or, if nothing contains all, as many
// as possible; s and z are the same. Statements can also be chosen by document, verdict, weight and kind. The address contains the search,
// and a link to it repeats the search: #search?words=rank&verdict=not+reproduced.
{
  const form = document.getElementById("filter");
  // The same length as the text, so that places in it are places in the text.
  const fold = (text) => text.toLowerCase().replaceAll("z", "s");
  const STEM = 6; // letters of a word that must agree, without a last s: "vanishing" finds "vanish"
  const IGNORED = new Set("a an and are at by do does for how in is it of on or the to what when which why with".split(" "));
  // What is searched of each kind: the rest is not visible, or belongs to another kind.
  const READ = {
    answer: [".answers > li", ":scope > h2, :scope > .found > p:first-child"],
    word: [".entry", ":scope > dt, :scope > dd"],
    statement: [".claim", ":scope > summary"],
    figure: ["main .picture", ":scope > .title, :scope > figure > figcaption > p:not(.files)"],
    document: [".document", ":scope > h2, :scope > .about"],
    erratum: ["main .errata li", ":scope > span"],
  };
  const items = Object.entries(READ).flatMap(([kind, [where, parts]]) =>
    [...document.querySelectorAll(where)].map((element) => {
      const rows = [...element.querySelectorAll(parts)];
      return { kind, element, rows, text: fold(rows.map((row) => row.textContent).join(" ")) };
    }),
  );
  const holders = document.querySelectorAll(
    ["document", "picture", "claims", "folded", "errata", "more"].map((name) => `main .${name}`).concat(".opening", "#glossary"),
  );
  const prefix = "#search?";

  // Highlight words without changing the document, in browsers that support it.
  const highlight = (rows, words) => {
    if (!CSS.highlights) return;
    const found = new Highlight();
    for (const row of words.length ? rows : []) {
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const { index, 0: { length } } of fold(node.data).matchAll(new RegExp(words.join("|"), "g"))) {
          found.add(new StaticRange({ startContainer: node, startOffset: index, endContainer: node, endOffset: index + length }));
        }
      }
    }
    CSS.highlights.set("found", found);
  };

  const search = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const typed = fold(wanted.words).match(/[\p{L}\p{N}.]+/gu) ?? [];
    const telling = typed.filter((word) => !IGNORED.has(word));
    const words = (telling.length ? telling : typed).map((word) => word.slice(0, STEM).replace(/(?<=..)s$/, ""));
    const picks = ["document", "verdict", "weight", "kind"].filter((name) => wanted[name] !== "");
    const searching = words.length + picks.length > 0;
    const fits = ({ kind, element: { dataset } }) => kind === "statement" && picks.every((name) => dataset[name] === wanted[name]);
    const possible = picks.length || !words.length ? items.filter(fits) : items;
    const score = ({ text }) => words.filter((word) => text.includes(word)).length;
    const best = Math.max(0, ...possible.map(score));
    const found = best || !words.length ? possible.filter((item) => score(item) === best) : [];
    for (const item of items) {
      const hit = found.includes(item);
      item.element.classList.toggle("hit", searching && hit);
      if (["answer", "word", "statement", "erratum"].includes(item.kind)) item.element.hidden = searching && !hit;
    }
    for (const holder of holders) {
      const shown = holder.matches(".hit") || holder.querySelector(".hit") !== null;
      holder.classList.toggle("empty", !shown);
      const target = document.querySelector(":target");
      if (holder.tagName === "DETAILS") holder.open = searching ? shown : holder.contains(target);
    }
    document.body.classList.toggle("searching", searching);
    const number = (kind) => found.filter((item) => item.kind === kind).length;
    const noun = (kind) => (number(kind) === 1 ? kind : kind === "erratum" ? "errata" : `${kind}s`);
    const counts = Object.keys(READ).filter(number).map((kind) => `${number(kind)} ${noun(kind)}`);
    const some = best < words.length && found.length ? `, with ${best} of ${words.length} words` : "";
    form.querySelector("output").textContent = searching ? (counts.join(", ") || "Nothing found") + some : "";
    highlight(searching ? found.flatMap(({ rows }) => rows) : [], words);
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
  form.hidden = false;
  restore();
}
