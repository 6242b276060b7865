// Behaviour of the page: a link opens its target, the table of contents marks the section in view, and a chart is drawn
// when it comes near the window. Without scripts, each chart is a picture of its first setting.
{
  let hash = location.hash;
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(hash.slice(1).split("?")[0]));
    if (!target) return;
    // Search may hide the target of a link.
    if (!target.checkVisibility()) document.getElementById("search").reset();
    for (let at = target.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
    // The form resets only after this event.
    setTimeout(() => target.scrollIntoView());
  };

  // Close the table of contents on a phone, where it would fill the first screens.
  document.querySelector("nav > details").open = matchMedia("(min-width: 60rem)").matches;
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const passing = new IntersectionObserver(
    (entries) => entries.forEach(({ isIntersecting, target }) => (links.get(target.id).ariaCurrent = isIntersecting ? "true" : null)),
    // A section is in view if it crosses a line a third below the window's upper edge.
    { rootMargin: "-33% 0px -66%" },
  );
  for (const id of links.keys()) passing.observe(document.getElementById(id));

  // A word's meaning is seen on hover, too. A tap on a figure makes it as large as it is, or the window's size.
  for (const word of document.querySelectorAll("a.word")) word.title = document.getElementById(decodeURIComponent(word.hash.slice(1))).lastChild.textContent;
  document.addEventListener("click", ({ target }) => target.matches("figure > .paper") && target.classList.toggle("large"));

  // A link to a chart may contain its setting: #DOCUMENT-CHART-sliders?depth=3.
  const settingOf = (holder) => {
    const [anchor, state = ""] = hash.slice(1).split("?");
    return decodeURIComponent(anchor) === holder.closest("section").id ? state : "";
  };
  const draw = async (holder) => {
    const specification = JSON.parse(document.getElementById(holder.dataset.chart).textContent);
    holder.chart = await drawChart(holder, specification, holder.closest("section").id);
    if (settingOf(holder)) await holder.chart.show(settingOf(holder));
    holder.view = holder.chart.view;
  };
  const follow = (to) => {
    hash = to;
    reveal();
    for (const holder of document.querySelectorAll(".chart")) {
      if (holder.chart && settingOf(holder)) holder.chart.show(settingOf(holder));
    }
  };
  window.addEventListener("hashchange", () => follow(location.hash));
  // In a frame that a host wrote, such as an editor's preview, links within the page would load the host's page.
  if (location.protocol === "about:") {
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#']");
      if (!link) return;
      event.preventDefault();
      follow(link.getAttribute("href"));
    });
  }
  const approach = (entries) => {
    for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
      near.unobserve(target);
      draw(target);
    }
  };
  const near = new IntersectionObserver(approach, { rootMargin: "600px" });
  for (const holder of document.querySelectorAll(".chart")) near.observe(holder);
  if (hash) reveal();
}
