// Search: the ten parts of the page that fit the words best, by BM25 (Robertson and Zaragoza 2009), in which rare words count
// most, times 1 + the share of the title that the words are. s and z are the same. The address contains the words, and a link
// to it repeats the search: #search?words=rank. The table in ledger.js finds words by the same pattern.
const wordPattern = (word) => {
  const STEM = 6; // letters of a word that must agree, without its ending: "vanishing" finds "vanish"
  const stem = word.replace(/(?<=...)(ing|ed|er|s)$/, "").replace(/(.)\1$/, "$1").slice(0, STEM);
  return `(?<![\\p{L}\\p{N}])${stem.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/[sz]/g, "[sz]")}`;
};
{
  const [form, list, prefix] = [document.getElementById("search"), document.getElementById("hits"), "#search?"];
  const SHOWN = 10;
  const TITLE = 3; // a word of a title counts as often
  const [SATURATION, LENGTH] = [1.2, 0.75]; // k₁ and b of BM25
  const IGNORED = new Set(
    "a about an and any are at be by can did do does for from get give have how i if in is it its just me mean my of on one or should so than that the then there these they this to use was we were what when where which who why will with you".split(" "),
  );
  // What is searched of each part: its title, and its other words.
  const READ = [
    [".answers > li", "h2", ".found > p"],
    [".entry", "dt", "dd"],
    [".picture", ":scope > .title", ":scope > .lead, :scope > figure > figcaption > p:not(.files)"],
    [".document", "h2", ":scope > .about"],
    [".claim", ".text", ".numbers, .explanation"],
    ["main .errata li", "span:not(.place)", ".remark"],
    ["details[id]:not(.claim)", "summary", ":scope > :is(p, ul, pre)"],
    [".failures, .experiments", "h2", ":scope > :is(p, h3)"],
  ];
  const wordsIn = (text) => text.toLowerCase().match(/[\p{L}\p{N}.±]+/gu) ?? [];
  // Without the words of signs, such as that of ✓.
  const bare = (part) => [...part.querySelectorAll(".words")].reduce((text, { textContent }) => text.replace(textContent, ""), part.textContent.trim());
  const textOf = (element, parts) => [...element.querySelectorAll(parts)].map(bare).join(" ");
  const read = ([where, title, rest]) =>
    [...document.querySelectorAll(where)].map((element) => {
      const item = { element, title: textOf(element, title).replace(/ #$/, ""), text: textOf(element, rest) };
      // The names of statements and figures are words, too. A reader's words for an entry count as its title.
      const [name, also] = [element.id.replace(/[-_]/g, " "), element.dataset.words ?? ""];
      return { ...item, name, also, size: wordsIn(item.title).length, length: TITLE * item.title.length + item.text.length };
    });
  const items = READ.flatMap(read);
  const usual = items.reduce((sum, { length }) => sum + length, 0) / items.length;

  const find = (words) => {
    const scores = items.map(() => 0);
    const entitled = items.map(() => 0);
    for (const pattern of words.map((word) => new RegExp(wordPattern(word), "giu"))) {
      const count = (text) => (text.match(pattern) ?? []).length;
      const counts = items.map(({ title, also, name, text }) => TITLE * (count(title) + count(also)) + count(name) + count(text));
      const having = counts.filter(Boolean).length;
      const rarity = Math.log(1 + (items.length - having + 0.5) / (having + 0.5));
      items.forEach(({ title, size, length }, at) => {
        const long = 1 - LENGTH + LENGTH * (length / usual);
        scores[at] += (rarity * counts[at] * (SATURATION + 1)) / (counts[at] + SATURATION * long);
        entitled[at] += (count(title) > 0) / size;
      });
    }
    return items.map((item, at) => ({ ...item, score: scores[at] * (1 + entitled[at]) })).filter(({ score }) => score).sort((one, other) => other.score - one.score);
  };
  const lineOf = ({ element, title, text }, pattern) => {
    const marked = (words) => words.split(pattern).map((part, at) => (at % 2 ? make("mark", {}, part) : part));
    const place = element.parentElement.closest("main > section")?.querySelector("h2").textContent ?? "";
    const verdict = element.querySelector(":scope > summary .verdict")?.cloneNode(true) ?? "";
    const link = make("a", { href: `#${element.id}` }, ...marked(title));
    return make("li", {}, verdict, " ", link, make("span", { class: "place" }, place), make("p", {}, ...marked(text)));
  };

  const search = () => {
    const typed = wordsIn(form.elements.words.value);
    const telling = typed.filter((word) => !IGNORED.has(word));
    const words = telling.length ? telling : typed;
    const found = words.length ? find(words) : [];
    const has = (text) => (word) => new RegExp(wordPattern(word), "iu").test(text);
    const topics = [...document.querySelectorAll("#left-out dfn")].map(({ textContent }) => textContent).filter((topic) => wordsIn(topic).every(has(typed.join(" "))));
    const lacking = topics.length || found.length ? topics : words;
    const nothing = lacking.length ? `This page has nothing on ${lacking.join(" or ")}. ` : "";
    const pattern = new RegExp(`(${words.map(wordPattern).join("|")})`, "giu");
    list.replaceChildren(...found.slice(0, SHOWN).map((item) => lineOf(item, pattern)));
    form.querySelector("output").textContent = words.length ? `${nothing}${found.length} found${found.length > SHOWN ? `, the best ${SHOWN} shown` : ""}` : "";
    document.body.classList.toggle("searching", words.length > 0);
    return words.length > 0;
  };
  const remember = (searching) => {
    const left = location.hash.startsWith(prefix) ? "" : location.hash;
    history.replaceState(null, "", (searching ? prefix + new URLSearchParams(new FormData(form)) : left) || "#");
  };
  const restore = () => {
    if (!location.hash.startsWith(prefix)) return;
    form.elements.words.value = new URLSearchParams(location.hash.slice(prefix.length)).get("words");
    search();
    form.scrollIntoView();
  };
  form.addEventListener("input", search);
  // Not at each letter: browsers limit how often an address changes.
  form.addEventListener("change", () => remember(search()));
  form.addEventListener("submit", (event) => event.preventDefault());
  // The event comes before the form is reset.
  form.addEventListener("reset", () => setTimeout(() => remember(search())));
  window.addEventListener("hashchange", restore);
  form.hidden = false;
  restore();
}
