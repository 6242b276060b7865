// Behaviour of the page: a link opens its target, the table of contents marks the section in view, and a chart is drawn
// when it comes near the window. Without scripts, each chart is a picture of its first setting.
{
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1).split("?")[0]));
    if (!target) return;
    // Search may hide the target of a link.
    if (!target.checkVisibility()) document.getElementById("filter").reset();
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    // The form resets only after this event.
    setTimeout(() => target.scrollIntoView());
  };
  window.addEventListener("hashchange", reveal);

  // Close the table of contents on a phone, where it would fill the first screens.
  document.querySelector("nav > details").open = matchMedia("(min-width: 60rem)").matches;
  // The small picture beside an answer is that of its figure.
  for (const link of document.querySelectorAll(".thumbnail")) {
    const image = document.getElementById(link.hash.slice(1)).querySelector("img");
    link.append(Object.assign(image.cloneNode(), { alt: "" }));
  }
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const inView = new Set();
  const mark = () => {
    const sections = document.querySelectorAll("#failures, .document, .document .picture, #experiments, #about");
    const current = new Set([...sections].filter((section) => inView.has(section)).map((section) => section.id));
    for (const [id, link] of links) link.ariaCurrent = current.has(id) ? "true" : null;
  };
  const passing = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) inView[isIntersecting ? "add" : "delete"](target);
      mark();
    },
    // A section is in view if it crosses a line a third below the window's upper edge.
    { rootMargin: "-33% 0px -66%" },
  );
  for (const id of links.keys()) {
    const section = document.getElementById(id);
    if (section) passing.observe(section);
  }

  // A link to a chart may contain its setting: #DOCUMENT-CHART-sliders?depth=3.
  const settingOf = (holder) => {
    const [anchor, state = ""] = location.hash.slice(1).split("?");
    return decodeURIComponent(anchor) === holder.closest("section").id ? state : "";
  };
  const draw = async (holder) => {
    const specification = JSON.parse(document.getElementById(holder.dataset.chart).textContent);
    holder.chart = await drawChart(holder, specification, holder.closest("section").id);
    if (settingOf(holder)) await holder.chart.show(settingOf(holder));
    holder.view = holder.chart.view;
  };
  window.addEventListener("hashchange", () => {
    for (const holder of document.querySelectorAll(".chart")) {
      if (holder.chart && settingOf(holder)) holder.chart.show(settingOf(holder));
    }
  });
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
        near.unobserve(target);
        draw(target);
      }
    },
    { rootMargin: "600px" },
  );
  for (const holder of document.querySelectorAll(".chart")) near.observe(holder);
  if (location.hash) reveal();
}
