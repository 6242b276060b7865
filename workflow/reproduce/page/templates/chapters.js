// The questions at the top. A reader draws a curve, or presses a button, and then sees our curve and the answer. With ?lecture in
// the address, each question fills a screen: the arrow keys show its answer, then the next one. Without scripts, in a search
// and on paper, the answers are visible.
{
  const chapters = [...document.querySelectorAll(".chapter:has(.curve)")];
  const reveal = (...shown) => shown.forEach((chapter) => chapter.classList.remove("guessing"));
  for (const chapter of chapters) {
    chapter.classList.add("guessing");
    const curve = chapter.querySelector("svg");
    const guess = new Map(); // place along x → height, so that the last line counts
    const draw = ({ clientX, clientY }) => {
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(curve.getScreenCTM().inverse());
      guess.set(Math.round(x / 3) * 3, Math.round(y));
      curve.querySelector(".guess").setAttribute("points", [...guess].sort(([one], [other]) => one - other).join(" "));
    };
    curve.addEventListener("pointerdown", (event) => curve.setPointerCapture(event.pointerId));
    curve.addEventListener("pointermove", (event) => event.buttons && chapter.matches(".guessing") && draw(event));
    curve.addEventListener("pointerup", () => guess.size > 5 && reveal(chapter)); // a tap is no guess
    chapter.querySelector("button").addEventListener("click", () => reveal(chapter));
  }
  document.querySelector(".asks button")?.addEventListener("click", () => reveal(...chapters));

  if (new URLSearchParams(location.search).has("lecture")) {
    document.body.classList.add("lecture");
    const screens = [document.querySelector("header"), ...document.querySelectorAll(".chapter, .opening > .picture")];
    const turn = (pages) => {
      const at = screens.findLastIndex((each) => each.getBoundingClientRect().top < innerHeight / 2);
      if (pages > 0 && screens[at].matches(".guessing")) return reveal(screens[at]);
      screens[Math.max(0, Math.min(at + pages, screens.length - 1))].scrollIntoView();
    };
    document.addEventListener("keydown", (event) => {
      const pages = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[event.key];
      if (!pages || event.target.matches("input, select")) return;
      event.preventDefault();
      turn(pages);
    });
  }
}
