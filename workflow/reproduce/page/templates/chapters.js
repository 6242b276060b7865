// The questions at the top. A reader draws a curve, or presses a button, and then sees our curve and the answer. With ?lecture in
// the address, each question is a slide: the arrow keys or buttons show its answer, then the next one. Without scripts and on
// paper, the answers are visible.
{
  const STEP = 3; // pixels
  const chapters = [...document.querySelectorAll(".chapter:has(.curve)")];
  const reveal = (...shown) => shown.forEach((chapter) => chapter.classList.remove("guessing"));
  for (const chapter of chapters) {
    chapter.classList.add("guessing");
    const [curve, frame] = ["svg", ".frame"].map((part) => chapter.querySelector(part));
    const guess = new Map(); // place along x → height, so that the last line counts
    let pen = null; // where keys draw on, from the middle of the left edge
    const draw = ({ x, y }) => {
      const box = frame.getBBox();
      if (x < box.x || y < box.y || x > box.x + box.width || y > box.y + box.height) return;
      pen = { x, y };
      guess.set(Math.round(x / STEP) * STEP, Math.round(y));
      curve.querySelector(".guess").setAttribute("points", [...guess].sort(([one], [other]) => one - other).join(" "));
    };
    curve.addEventListener("pointerdown", (event) => curve.setPointerCapture(event.pointerId));
    curve.addEventListener("pointermove", ({ buttons, clientX, clientY }) => {
      if (buttons && chapter.matches(".guessing")) draw(new DOMPoint(clientX, clientY).matrixTransform(curve.getScreenCTM().inverse()));
    });
    curve.addEventListener("pointerup", () => guess.size > 5 && reveal(chapter)); // a tap is no guess
    curve.tabIndex = 0;
    curve.addEventListener("keydown", (event) => {
      const [across, down] = { ArrowRight: [STEP, 0], ArrowLeft: [-STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key] ?? [];
      if (across === undefined || !chapter.matches(".guessing")) return;
      event.preventDefault();
      pen ?? draw(frame.getPointAtLength(frame.getBBox().height / 2));
      draw({ x: pen.x + across, y: pen.y + down });
    });
    chapter.querySelector("button").addEventListener("click", () => reveal(chapter));
  }
  document.querySelector(".asks button")?.addEventListener("click", () => reveal(...chapters));

  if (new URLSearchParams(location.search).has("lecture")) {
    const slides = [document.querySelector("hgroup"), ...document.querySelectorAll(".chapter, .opening .picture")];
    let at = 0;
    const number = make("output");
    const show = (place) => {
      at = Math.max(0, Math.min(place, slides.length - 1));
      slides.forEach((slide, each) => slide.classList.toggle("now", each === at));
      number.textContent = `${at + 1} of ${slides.length}`;
      hide.disabled = !chapters.includes(slides[at]);
      scrollTo(0, 0);
    };
    const turn = (slidesOn) => (slidesOn > 0 && slides[at].matches(".guessing") ? reveal(slides[at]) : show(at + slidesOn));
    const hide = makeButton("Show or hide answer", () => slides[at].classList.toggle("guessing"));
    const leave = make("a", { href: "?" }, "Leave");
    document.body.append(make("div", { class: "bar" }, makeButton("Back", () => turn(-1)), number, makeButton("Next", () => turn(1)), hide, leave));
    // A link to what is on no slide opens in the page; the browser's button Back returns to the slide.
    const follow = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1).split("?")[0]));
      const place = slides.findIndex((slide) => slide.contains(target));
      document.body.classList.toggle("lecture", !target || place >= 0);
      show(place < 0 ? at : place);
    };
    window.addEventListener("hashchange", follow);
    follow();
    document.addEventListener("keydown", (event) => {
      const slidesOn = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[event.key];
      if (!slidesOn || !document.body.matches(".lecture") || event.defaultPrevented || event.target.matches("input, select")) return;
      event.preventDefault();
      turn(slidesOn);
    });
  }
}
