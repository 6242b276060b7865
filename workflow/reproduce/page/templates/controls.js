// Charts with the page's own controls. drawChart(holder, specification, anchor) draws a Vega-Lite chart into an element, below a
// slider, a list or a field for each parameter with a `bind`, buttons, a link to the setting, and a sentence on what the chart shows.
// Screen readers announce this sentence and skip the picture, because hundreds of marks mean nothing when read aloud.
//
// A chart may compute its data in the page. Its `usermeta` contains the `controls`, the one that the button Play moves on
// (`play`), and in `program` the argument of the function of this name in chartPrograms, which returns functions:
// - show(places): data sets by name, and words on them, for the place of each control;
// - tap(datum, places): the places to which controls move if a reader taps a mark; null for none.
const chartPrograms = {};
const make = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const pair of Object.entries(attributes)) made.setAttribute(...pair);
  made.append(...children);
  return made;
};
const makeButton = (words, onclick, attributes) => Object.assign(make("button", { type: "button", ...attributes }, words), { onclick });

// Pixels: panels of at least WIDE take the width of the window, up to WIDEST. BESIDE is for axes, legends and the frame.
const [WIDE, WIDEST, BESIDE] = [300, 540, 134];
const TICK = 60; // milliseconds between two places, while a chart plays
const CALM = 8; // pictures that it plays with reduced motion

const fit = (part, room) => {
  if (part.width >= WIDE) part.width = Math.min(Math.max(room - BESIDE, 150), WIDEST);
  for (const each of ["vconcat", "hconcat", "layer"].flatMap((kind) => part[kind] || [])) fit(each, room);
};

// Return a control: its elements, and functions that read and set its value: a place among `texts`, or what a reader types.
const control = ({ bind: { input: type, name: words, labels, options, ...limits }, name, value: first }, texts = labels) => {
  const value = make("span", { class: "value", "aria-hidden": "true" });
  const choices = labels?.map((text, place) => make("option", { value: place }, text));
  const input = choices ? make("select", { name }, ...choices) : make("input", { name, type, ...limits });
  const made = {
    ...{ name: name.replace(/^place_/, ""), words: (words || name).trim(), signal: name, first, input },
    row: make("label", { class: "control" }, make("span", {}, words || name), input, ...(type === "range" ? [value] : [])),
    number: () => (texts ? Number(input.value) : input.value),
    text: () => (texts ? texts[made.number()] : input.value),
    // Return the value whose text is in a link; undefined if the chart does not have this value.
    find: (text) => (texts ? [texts.indexOf(text)].find((place) => place >= 0) : (text ?? undefined)),
    tell: () => {
      if (type !== "range") return;
      value.textContent = made.text();
      input.setAttribute("aria-valuetext", made.text());
    },
  };
  input.value = first;
  return made;
};

const drawChart = async (holder, specification, anchor) => {
  const { labels, program = {}, controls: own = [], play } = specification.usermeta || {};
  const parameters = specification.params || [];
  const drawn = structuredClone(specification);
  // The page shows the title, and the words under the controls describe the setting.
  delete drawn.title;
  for (const parameter of drawn.params || []) {
    delete parameter.bind;
    if (parameter.name === "in_page") parameter.value = true;
  }
  drawn.background = "transparent";
  // The holder's width is no measure: the holder is only as wide as its picture.
  fit(drawn, (holder.closest("section") || holder.parentElement).clientWidth - getComputedStyle(holder).getPropertyValue("--beside"));

  const controls = [...parameters, ...own].filter((each) => each.bind).map((each) => control(each, labels[each.name]));
  const axes = parameters.filter((each) => each.name.startsWith("place_"));
  const simulated = Object.keys(parameters.find((each) => each.name === "said")?.value ?? {}).map((key) => key.split(" ").map(Number));
  const description = make("p", { class: "told", role: "status" });
  const link = make("a", {}, "Link to this setting");
  const picture = make("div", { class: "drawn", "aria-hidden": "true" });
  // `ast`: Vega interprets expressions, because the page's security policy forbids compiling them.
  const { view } = await vegaEmbed(picture, drawn, { ast: true, actions: false, renderer: "svg", defaultStyle: false, tooltip: false, config: { aria: false } });
  const [computed] = Object.entries(program).map(([name, settings]) => chartPrograms[name](settings));

  let data = {};
  const placesOf = () => Object.fromEntries(controls.map((each) => [each.signal, each.number()]));
  // Move controls, but not the one that the reader moved, as few and as little as possible, to a setting that was simulated.
  const settle = (moved) => {
    const chosen = axes.map((axis) => controls.find((each) => each.signal === axis.name));
    const places = chosen.map((each) => (each ? each.number() : 0));
    const distance = (setting) => setting.reduce((sum, place, at) => sum + 1000 * (place !== places[at]) + Math.abs(place - places[at]), 0);
    const fixed = chosen.indexOf(moved);
    const possible = simulated.filter((setting) => fixed < 0 || setting[fixed] === places[fixed]);
    const [nearest = places] = possible.sort((one, other) => distance(one) - distance(other));
    const others = chosen.filter((each, at) => nearest[at] !== places[at]);
    for (const each of others) each.input.value = nearest[chosen.indexOf(each)];
    return others.map((each) => each.words);
  };
  const update = async (moved) => {
    const others = settle(moved);
    for (const each of controls) each.tell();
    link.href = `#${anchor}?${new URLSearchParams(controls.map((each) => [each.name, each.text()]))}`;
    if (computed) {
      const made = computed.show(placesOf());
      for (const [name, rows] of Object.entries(made.data)) if (rows !== data[name]) view.data(name, rows);
      data = made.data;
      if (description.textContent !== made.words) description.textContent = made.words;
    } else controls.forEach((each) => view.signal(each.signal, each.number()));
    await view.runAsync();
    if (parameters.some((each) => each.name === "sentence")) {
      const also = others.length ? ` Moved along, to a setting that was simulated: ${others.join(", ")}.` : "";
      description.textContent = `${view.signal("sentence").replace(/^[a-z]/, (first) => first.toUpperCase())}.${also}`;
    }
  };
  // Put some controls at places, by signal.
  const move = (places) => {
    for (const each of controls) if (each.signal in places) each.input.value = places[each.signal];
    return update();
  };
  // Show the setting in the query after an anchor. Controls that are not in the query return to their first value.
  const show = async (state) => {
    const wanted = new URLSearchParams(state);
    const lacking = controls.filter((each) => wanted.has(each.name) && each.find(wanted.get(each.name)) === undefined);
    await move(Object.fromEntries(controls.map((each) => [each.signal, each.find(wanted.get(each.name)) ?? each.first])));
    if (lacking.length) description.append(` The link names ${lacking.map((each) => `${each.name} ${wanted.get(each.name)}`).join(", ")}, which this chart lacks.`);
  };

  // Return the specification with the setting and the data that the chart shows, and the key of the setting.
  const shown = () => {
    const found = structuredClone(specification);
    for (const each of (found.params || []).filter((each) => each.bind)) each.value = view.signal(each.name);
    if (computed) found.datasets = data;
    return { specification: found, key: parameters.some((each) => each.name === "key") ? view.signal("key") : undefined };
  };

  for (const each of controls) each.input.addEventListener(each.input.type === "range" ? "input" : "change", () => update(each));
  const buttons = [makeButton("Reset", () => show(""))];
  const played = controls.find((each) => each.signal === play);
  if (played) {
    let timer = 0;
    const last = () => played.number() === Number(played.input.max);
    // With reduced motion, Play shows few pictures, one a second.
    const [stride, tick] = matchMedia("(prefers-reduced-motion: reduce)").matches ? [played.input.max / CALM, 1000] : [1, TICK];
    const step = (by = 1) => move({ [play]: last() ? 0 : Math.min(Math.floor(played.number() + by), played.input.max) });
    const start = makeButton("Play", () => {
      timer = timer ? clearInterval(timer) : setInterval(() => (last() ? start.click() : step(stride)), tick);
      start.textContent = timer ? "Pause" : "Play";
      if (timer) step(stride);
    });
    buttons.unshift(start, makeButton("Step", () => step()));
  }
  if (computed) view.addEventListener("click", (event, item) => move((item?.datum && computed.tap(item.datum, placesOf())) ?? {}));
  await update();
  const group = make("div", { class: "controls", role: "group", "aria-label": "Controls of the chart" }, ...controls.map((each) => each.row));
  group[played ? "prepend" : "append"](make("div", { class: "actions" }, ...buttons, ...(anchor ? [link] : [])));
  holder.replaceChildren(group, description, make("p", { class: "unseen" }, specification.description || ""), picture);
  return { view, show, shown };
};
