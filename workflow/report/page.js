// What the page does beside showing: it searches claims, and draws a chart once its place comes near the window.
// Without scripts, all claims stand there, and each chart is a picture of its first setting.
{
  const form = document.getElementById("filter");
  const claims = [...document.querySelectorAll(".claim")].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
  }));
  const holders = document.querySelectorAll(".document, .picture");
  const told = form.querySelector("output");

  const search = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const words = wanted.words.toLowerCase().split(/\s+/).filter(Boolean);
    const picks = ["document", "verdict", "weight", "kind"].filter((name) => wanted[name] !== "");
    const searching = words.length + picks.length > 0;
    let found = 0;
    for (const { element, text } of claims) {
      const fits =
        picks.every((name) => element.dataset[name] === wanted[name]) && words.every((word) => text.includes(word));
      element.hidden = !fits;
      found += fits;
    }
    for (const holder of holders) {
      holder.classList.toggle("empty", holder.querySelector(".claim:not([hidden])") === null);
    }
    document.body.classList.toggle("searching", searching);
    told.textContent = searching ? `${found} of ${claims.length} claims` : "";
  };
  form.addEventListener("input", search);
  form.addEventListener("change", search);
  form.addEventListener("submit", (event) => event.preventDefault());
  // A form tells of its reset before it is reset.
  form.addEventListener("reset", () => setTimeout(search));
  form.hidden = claims.length === 0;

  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    if (target) target.scrollIntoView();
  };
  window.addEventListener("hashchange", reveal);

  const draw = async (holder) => {
    const spec = JSON.parse(document.getElementById(holder.dataset.chart).textContent);
    const picture = holder.firstElementChild;
    const place = document.createElement("div");
    // `ast`: expressions are read, not run, as no page under this policy may make code from text.
    const { view } = await vegaEmbed(place, spec, {
      ast: true,
      actions: false,
      renderer: "svg",
      defaultStyle: false,
      tooltip: false,
    });
    await attachLive(view, spec.usermeta.live ?? []);
    holder.replaceChild(place, picture);
    holder.view = view;
  };
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        draw(target);
      }
    },
    { rootMargin: "600px" },
  );
  for (const holder of document.querySelectorAll(".chart")) near.observe(holder);
  if (location.hash) reveal();
}
