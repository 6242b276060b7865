// Behaviour of the page: a link opens its target, the table of contents marks the section in view, and a chart is drawn
// when it comes near the window. Without scripts, each chart is a picture of its first setting.
{
  // A link to a chart may contain its setting: #DOCUMENT-CHART-sliders?depth=3.
  let [target, setting] = [];
  const settingOf = (holder) => holder.closest("section") === target && setting;
  const follow = (hash) => {
    const [anchor, state] = hash.slice(1).split("?");
    [target, setting] = [document.getElementById(decodeURIComponent(anchor)), state];
    if (!target) return;
    // Search may hide the target of a link.
    if (!target.checkVisibility()) document.getElementById("search").reset();
    for (let at = target.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
    // The form resets only after this event.
    setTimeout(() => target.scrollIntoView());
    for (const holder of document.querySelectorAll(".chart")) if (settingOf(holder)) holder.chart?.show(setting);
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

  window.addEventListener("hashchange", () => follow(location.hash));
  // In a frame that a host wrote, such as an editor's preview, links within the page would load the host's page.
  if (location.protocol === "about:") document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (!link) return;
    event.preventDefault();
    follow(link.getAttribute("href"));
  });
  const draw = async ({ isIntersecting, target: holder }) => {
    if (!isIntersecting) return;
    near.unobserve(holder);
    const specification = JSON.parse(document.getElementById(holder.dataset.chart).textContent);
    holder.chart = await drawChart(holder, specification, holder.closest("section").id);
    if (settingOf(holder)) await holder.chart.show(setting);
    holder.view = holder.chart.view;
  };
  const near = new IntersectionObserver((entries) => entries.forEach(draw), { rootMargin: "600px" });
  for (const holder of document.querySelectorAll(".chart")) near.observe(holder);
  follow(location.hash);
}
