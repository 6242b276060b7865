// Gradient descent of a deep linear net with 8 units in each layer: what the chart `small_net` (charts.py) computes in the
// page. As in networks/linear.py, outputs = inputs @ W1 @ … @ WL; inputs are white. A matrix is an array, row by row.
chartPrograms.small_net = ({ values, targets, matrices, typed, dots }) => {
  const SIZE = 8;
  const WEAK = 0.1; // modes below this share of the strongest do not count as learned or not
  const LOST = 1e6; // a loss of so many times the first has diverged
  const STILL = 1e-14; // smaller updates change no digit
  const RISE = 1e-6; // a share of the loss: rounding changes it by 1e-15
  const NEAR = 0.1; // a share: a mode that is so far from its strength at most has arrived
  const SEEN = 0.01; // a share of the strongest mode: a smaller motion is not seen
  const [BEGUN, DONE] = [0.1, 0.9]; // the shares between which a mode rises
  const ROUNDING = 1e-9; // a share of the strongest mode: rounding changes singular values by 1e-15, targets by much more
  const [LANCZOS, SHARP, STRIDE] = [64, 1e-7, 2]; // products with the Hessian at most; the last rise of an eigenvalue, a share; states per point
  const steps = values.updates;
  const random = Object.fromEntries(Object.entries(matrices).map(([kind, each]) => [kind, each.map((matrix) => Float64Array.from(matrix))]));
  const range = (count) => [...Array(count).keys()];
  const blank = () => new Float64Array(SIZE * SIZE);
  const dot = (one, other) => one.reduce((sum, value, at) => sum + value * other[at], 0);

  // out = one @ other, where either may be transposed; plus what `out` was, if `more`. Unrolled, it is three times as fast.
  const times = (out, one, other, turned = false, otherTurned = false, more = false) => {
    const [row, inner] = turned ? [1, SIZE] : [SIZE, 1];
    const [down, column] = otherTurned ? [1, SIZE] : [SIZE, 1];
    for (let i = 0; i < SIZE; i++) {
      let at = i * row;
      const a = one[at], b = one[(at += inner)], c = one[(at += inner)], d = one[(at += inner)];
      const e = one[(at += inner)], f = one[(at += inner)], g = one[(at += inner)], h = one[(at += inner)];
      for (let j = 0; j < SIZE; j++) {
        let to = j * column;
        const half = a * other[to] + b * other[(to += down)] + c * other[(to += down)] + d * other[(to += down)];
        const sum = half + e * other[(to += down)] + f * other[(to += down)] + g * other[(to += down)] + h * other[(to += down)];
        out[i * SIZE + j] = more ? out[i * SIZE + j] + sum : sum;
      }
    }
    return out;
  };

  // The modes of a matrix, strongest first: each distinct singular value with the sum over its `count` pairs of singular
  // vectors, left times right: only the sum is unique. Jacobi's rotations make columns orthogonal; the second half of each column records the rotations.
  const modesOf = (matrix) => {
    const columns = range(SIZE).map((j) => [...range(SIZE).map((i) => matrix[i * SIZE + j]), ...range(SIZE).map((i) => +(i === j))]);
    const inner = (p, q) => dot(columns[p].slice(0, SIZE), columns[q]);
    for (const p of range(12 * SIZE).map((at) => at % SIZE)) {
      for (let q = p + 1; q < SIZE; q++) {
        const [one, other, both] = [inner(p, p), inner(q, q), inner(p, q)];
        if (Math.abs(both) <= 1e-16 * Math.sqrt(one * other)) continue;
        const angle = Math.atan2(2 * both, one - other) / 2;
        const [old, last, cosine, sine] = [columns[p], columns[q], Math.cos(angle), Math.sin(angle)];
        columns[p] = old.map((value, i) => cosine * value + sine * last[i]);
        columns[q] = last.map((value, i) => cosine * value - sine * old[i]);
      }
    }
    const sizes = columns.map((column, at) => [Math.sqrt(inner(at, at)), column]).sort(([one], [other]) => other - one);
    const modes = [];
    for (const [value, column] of sizes.filter(([value]) => value > ROUNDING * sizes[0][0])) {
      if (!(modes.at(-1)?.value - value <= ROUNDING * sizes[0][0])) modes.push({ value, count: 0, sum: blank() });
      const mode = modes.at(-1);
      mode.count += 1;
      mode.sum = mode.sum.map((each, at) => each + (column[Math.floor(at / SIZE)] / value) * column[SIZE + (at % SIZE)]);
    }
    return modes;
  };
  // The strength of a mode: the mean over its pairs.
  const strengthOf = ({ count, sum }, matrix) => dot(sum, matrix) / count;

  // For a mode of strength u: the square w² of each layer but the last, which has w² + imbalance; and du/dt / u² / (σ − u)
  // (theory/unequal_layers.py), which times u² is the curvature along the mode once it is learned.
  const squareOf = (u, depth, imbalance) => {
    let log = (2 * Math.log(u)) / depth;
    for (let step = 0; step < 4; step++) {
      const last = Math.exp(log) + imbalance;
      log -= ((depth - 1) * log + Math.log(last) - 2 * Math.log(u)) / (depth - 1 + Math.exp(log) / last);
    }
    return Math.exp(log);
  };
  const growthOf = (u, depth, imbalance, square = squareOf(u, depth, imbalance)) => (depth - 1) / square + 1 / (square + imbalance);

  // Gradient flow of one mode to its singular value, as pairs of updates and u: an integral over ln(u / |value − u|).
  const flow = (value, { size, depth, imbalance, rate }, points = 160) => {
    const sign = Math.sign(value - size);
    const first = Math.log(size / Math.abs(value - size));
    const width = (Math.log(1999) - first) / points;
    let [time, before] = [0, 0];
    return range(width > 0 ? points + 1 : 0).map((at) => {
      const u = value / (1 + sign * Math.exp(-first - at * width));
      const slope = 1 / (value * u * growthOf(u, depth, imbalance) * rate);
      time += at && ((slope + before) * width) / 2;
      before = slope;
      return [time, u];
    });
  };

  // The initial layers: each singular value of the product is `size`, unless they are Gaussian. Aligned layers are the
  // orthogonal ones, but for the last, which gives the product the singular vectors of the target.
  const startOf = ({ start, depth, size, imbalance }, modes) => {
    const square = squareOf(size, depth, imbalance);
    const layers = random[start === "gaussian" ? start : "orthogonal"].slice(0, depth);
    if (start === "aligned") {
      const vectors = modes.reduce((all, { sum }) => all.map((each, at) => each + sum[at]), blank());
      layers[depth - 1] = layers.slice(0, -1).reduce((rest, layer) => times(blank(), layer, rest, true), vectors);
    }
    return layers.map((layer, at) => layer.map((value) => Math.sqrt(square + (at === depth - 1 ? imbalance : 0)) * value));
  };

  // Fill the products of the first layers, from the identity on, and the gradients with respect to them, from the last to the first.
  const pass = (weights, target, products, errors) => {
    const last = weights.length - 1;
    weights.forEach((layer, at) => times(products[at + 1], products[at], layer));
    for (let i = 0; i < target.length; i++) errors[last][i] = products[last + 1][i] - target[i];
    for (let at = last; at > 0; at--) times(errors[at - 1], errors[at], weights[at], false, true);
  };

  // The sharpness: the largest eigenvalue of the Hessian of ½ ‖product − target‖², by Lanczos' method. Each direction is what
  // the Hessian makes of the one before, minus its parts along the two before: in these directions it is tridiagonal.
  const sharpnessOf = (weights, products, errors) => {
    const depth = weights.length;
    const moved = products.map(blank);
    const part = (all, at) => all.subarray(at * SIZE * SIZE, (at + 1) * SIZE * SIZE);
    const bend = (way, out = way.slice()) => {
      for (let at = 0; at < depth; at++) times(times(moved[at + 1], moved[at], weights[at]), products[at], part(way, at), false, false, true);
      let error = moved[depth];
      for (let at = depth - 1; at >= 0; at--) {
        times(times(part(out, at), products[at], error, true), moved[at], errors[at], true, false, true);
        error = times(times(blank(), error, weights[at], false, true), errors[at], part(way, at), false, true, true);
      }
      return out;
    };
    const [diagonal, beside, found] = [[], [], []];
    // A bound is above all eigenvalues if all pivots of the tridiagonal matrix minus the bound are negative.
    const isAbove = (bound) => diagonal.every((value, at) => (pivot = value - bound - (at && beside[at] ** 2 / pivot)) < 0);
    let [next, way, pivot] = [Float64Array.from(random.gaussian.slice(-depth).flatMap((each) => [...each])), [], 0];
    while (diagonal.length < LANCZOS && !(found.at(-1) - found.at(-5) < SHARP * found.at(-1))) {
      const [last, length] = [way, Math.sqrt(dot(next, next))];
      if (length <= ROUNDING * found.at(-1)) break;
      way = next.map((value) => value / length);
      next = bend(way);
      diagonal.push(dot(next, way));
      beside.push(last.length && length);
      for (let i = 0; i < next.length; i++) next[i] -= diagonal.at(-1) * way[i] + (last.length && length * last[i]);
      let [low, high] = [Math.max(...diagonal), Math.max(...diagonal) + 2 * Math.max(...beside)];
      for (let halving = 0; halving < 30; halving++) isAbove((low + high) / 2) ? (high = (low + high) / 2) : (low = (low + high) / 2);
      found.push(high);
    }
    return found.at(-1);
  };

  // Train the net: its states at `steps`; the updates at which it diverged, and at which the product last moved without a
  // smaller loss; and whether the loss had been a rounding error before. A layer changes after all gradients are known.
  const descend = (target, weights, rate) => {
    const products = [blank().map((_, at) => at % (SIZE + 1) === 0), ...weights.map(blank)];
    const [errors, states, slope, last, highest] = [weights.map(blank), [], blank(), blank(), Math.max(...target.map(Math.abs))];
    let [first, before, rose, still, rounded, kept] = [null, Infinity, 0, false, false, null];
    for (let step = 0; states.length < steps.length; step++) {
      pass(weights, target, products, errors);
      const product = products.at(-1);
      const loss = dot(errors.at(-1), errors.at(-1));
      const moved = product.reduce((most, value, i) => Math.max(most, Math.abs(value - last[i])), 0);
      last.set(product);
      first ??= loss;
      if (!(loss <= LOST * first)) return { states, diverged: step, rose, rounded };
      if (loss > (1 + RISE) * before || (step && loss > (1 - RISE) * before && moved > SEEN * highest)) rose = step;
      rounded ||= loss < ROUNDING ** 2 * first;
      before = loss;
      // A net that has learned stays as it is.
      while (step === steps[states.length] || (still && states.length < steps.length)) {
        const sharpness = states.length > 1 && states.length % STRIDE ? null : (kept ?? sharpnessOf(weights, products, errors));
        states.push({ step: steps[states.length], loss: loss / first, product: product.slice(), layers: weights.map((layer) => layer.slice()), sharpness });
        kept = still ? (kept ?? sharpness) : null;
      }
      still = true;
      for (let at = 0; at < weights.length; at++) {
        times(slope, products[at], errors[at], true);
        for (let i = 0; i < slope.length; i++) {
          weights[at][i] -= rate * slope[i];
          still &&= Math.abs(rate * slope[i]) < STILL;
        }
      }
    }
    return { states, diverged: null, rose, rounded };
  };

  // Targets that readers type: the cell and the number that a word means, if it fits, and what fits.
  const TYPES = [
    ["cells", (word) => /^[1-8]{2}$/.test(word) && [SIZE * word[0] + +word[1] - SIZE - 1, 1], "a cell is its row and its column, such as 27"],
    ["spectrum", (word, at) => at < SIZE && word >= 0 && word <= 10 && [(SIZE + 1) * at, +word], "up to 8 numbers from 0 to 10 fit, such as 2 1 0.5"],
  ];
  const fitting = { ...typed };
  const wordsIn = (text) => text.split(/(?:[\s;]|,(?=\s|$))+/).filter(Boolean);
  const ownTarget = (setting) => {
    const [name, meaning, help] = TYPES[setting.target - targets.length];
    const misfit = wordsIn(setting[name]).find((word, at) => !meaning(word, at));
    if (misfit === undefined) fitting[name] = setting[name];
    const filled = new Map(wordsIn(fitting[name]).map(meaning));
    const matrix = range(SIZE * SIZE).map((at) => filled.get(at) ?? 0);
    return { matrix, names: [], help: misfit === undefined ? "" : `“${misfit}” does not fit: ${help}. Shown is ${fitting[name] || "nothing"}. ` };
  };

  // The training of a setting: the data of its curves, of theory, and of the names at the ends of lines.
  const train = (setting, { matrix: clean, names }) => {
    const target = Float64Array.from(clean, (value, at) => value + setting.noise * Math.sqrt(dot(clean, clean)) * random.noise[0][at]);
    const modes = modesOf(target);
    const top = modes[0]?.value ?? 1;
    const { states, diverged, rose, rounded } = descend(target, startOf(setting, modes), setting.rate);
    const errors = states.map(({ product }) => product.reduce((sum, value, at) => sum + (value - clean[at]) ** 2, 0));
    const row = (mode, updates, u) => ({ mode: mode + 1, updates, strength: u / top });
    const shown = states.slice(1);
    const curves = modes.flatMap((mode, k) => shown.map(({ step, product }) => row(k, step, strengthOf(mode, product))));
    const kinds = { training: states.map(({ loss }) => loss), ...(setting.noise && { "held out": errors.map((each) => each / errors[0]) }) };
    const losses = Object.entries(kinds).flatMap(([kind, all]) => shown.map(({ step }, at) => ({ kind, updates: step, loss: all[at + 1] })));
    const curvature = (u) => u ** 2 * growthOf(u, setting.depth, setting.imbalance);
    const theory = modes.flatMap(({ value }, k) => flow(value, setting).map(([time, u]) => ({ ...row(k, time, u), sharpness: curvature(u) })));
    const sharpness = shown.filter((state) => state.sharpness !== null).map((state) => ({ updates: state.step, sharpness: state.sharpness }));
    const named = modes.reduce((all, { value }, k) => {
      const text = (setting.noise ? undefined : names[k]) ?? `mode ${k + 1}`;
      return all.at(-1)?.strength - value / top < 0.1 ? all : [...all, { ...row(k, steps.at(-1), value), text }]; // so that no name covers another
    }, []);
    const ends = losses.filter(({ updates }) => setting.noise && updates === states.at(-1).step);
    const limit = [{ sharpness: 2 / setting.rate, text: "2/rate" }];
    const data = { curves, losses, sharpness, limit, theory: theory.filter(({ updates }) => updates >= 1), names: named, loss_names: ends };
    return { data, modes, top, target, states, diverged, rose, rounded, edge: (2 / curvature(top)) * (1 + ROUNDING), errors };
  };

  const count = (value) => value.toLocaleString("en");
  const brief = (value) => count(Number(value.toPrecision(2)));
  const updates = (value) => (value < 1.5 ? "one update or less" : `about ${brief(value)} updates`);
  // A sentence on the curves that are drawn.
  const wordsOf = ({ modes, top, states, diverged, rose, rounded, edge, errors }, setting) => {
    const { depth, rate, noise: share, size } = setting;
    if (!modes.length) return "The target is empty: there is nothing to learn.";
    // With so many digits that it differs from the rate.
    const highest = range(12).slice(2).map((digits) => Number(edge.toPrecision(digits))).find((value) => value < rate);
    const grown = rounded ? ", as it enlarges rounding errors" : "";
    const sharp = states[0].sharpness > 2 / rate ? `: at the start, the sharpness is ${brief(states[0].sharpness)}, above 2/rate` : "";
    const limit = `${grown}${rate > edge ? `: in theory, the largest rate at this target is ${highest} with ${depth} layer${depth > 1 ? "s" : ""}` : sharp}.`;
    if (diverged !== null) return `The net diverges after ${count(diverged)} update${diverged > 1 ? "s" : ""}${limit}`;
    const end = states.at(-1);
    const left = `after ${count(end.step)} updates its loss is ${end.loss.toFixed(3)} of the first`;
    if (rose > 0.9 * end.step && end.loss > 1e-3) return `The net swings and does not settle${limit}`;
    const drawn = modes.map((mode) => states.map(({ product }) => strengthOf(mode, product) / top));
    if (drawn.every((all) => all.every((value) => Math.abs(value - all[0]) < SEEN))) return `The net hardly moves: ${left}.`;
    if (rose && rate > edge && end.loss > 1e-3) return `The net overshoots, and ${left}${limit}`;
    const strong = modes.filter(({ value }) => value >= WEAK * top);
    const shares = strong.map((mode) => states.map(({ product }) => strengthOf(mode, product) / mode.value));
    // The update from which a mode keeps a share of its singular value, between two states; NaN if it never does.
    const keeping = (all, wanted, times = steps) => {
      const at = all.findLastIndex((value) => value < wanted) + 1;
      return at === all.length ? NaN : at && times[at - 1] + (times[at] - times[at - 1]) * ((wanted - all[at - 1]) / (all[at] - all[at - 1]));
    };
    const least = Math.min(...errors);
    const of = (error) => Number((error / errors[0]).toPrecision(3)); // shows a difference of 1 %
    const held = errors.at(-1) > 1.01 * least ? `, and is least, ${of(least)}, after ${updates(states[errors.indexOf(least)].step)}` : " and never rises";
    const also = share ? ` The held-out error ends at ${of(errors.at(-1))} of the first${held}.` : "";
    // A start may equal the target, or half of it, but for rounding.
    const ahead = shares.filter(([start]) => start > 0.5 - ROUNDING);
    if (ahead.length) {
      const arrived = Math.max(...shares.map((all) => states[all.findLastIndex((value) => Math.abs(value - 1) > NEAR) + 1]?.step ?? Infinity));
      const shrink = ahead.filter(([start]) => start > 1 + ROUNDING).length;
      const which = `${ahead.length} of ${strong.length} modes start${ahead.length === 1 ? "s" : ""} at least half learned`;
      const then = arrived < Infinity ? `all have their strength, within ${100 * NEAR} %, after ${updates(arrived)}` : "not all reach their strength";
      return `${which}, and ${shrink || "none"} of them shrink${shrink === 1 ? "s" : ""}: ${then}.${also}`;
    }
    const halves = shares.map((all) => keeping(all, 0.5)).filter((time) => !Number.isNaN(time));
    if (halves.length < strong.length) return `After ${count(end.step)} updates, the net has half learned ${halves.length || "none"} of ${strong.length} modes.${also}`;
    const one = strong[0].count === 1 ? "The only strong mode is" : `The ${strong[0].count} equal modes are`;
    if (strong.length === 1) return `${one} half learned after ${updates(halves[0])}.${also}`;
    // A mode rises from BEGUN to DONE. On the logarithmic axis: the share of the shorter one of two neighbouring rises at
    // which both rise, below 0 if the later one begins after the earlier one.
    const rises = shares.map((all) => [BEGUN, DONE].map((wanted) => Math.log1p(keeping(all, wanted) || (all[0] < wanted && steps.at(-1)))));
    const order = range(strong.length).sort((one, other) => halves[one] - halves[other]);
    const length = ([from, to]) => Math.max(to - from, ROUNDING);
    const common = order.slice(1).map((at, before) => [rises[order[before]], rises[at]]).map(([one, next]) => (one[1] - next[0]) / Math.min(length(one), length(next)));
    const way = common.every((each) => each <= 0) ? "One by one" : common.every((each) => each >= 0.5) ? "Together" : "Overlapping";
    const times = `the strongest mode is half learned after ${updates(halves[0])}, the last after ${updates(halves[order.at(-1)])}`;
    // A mode that starts above half of its goal has no such time.
    const half = ({ value }, path = flow(value, setting)) => keeping(path.map(([, u]) => u), value / 2, path.map(([time]) => time));
    const [first, final] = [strong[0], strong[order.at(-1)]].map(({ value }) => (size < (0.5 - ROUNDING) * value ? brief(half({ value })) : ""));
    return `${way}: ${times}${first && final && ` (in theory, if no mode disturbs another: ${first} and ${final})`}.${also}`;
  };

  // The maps of a state: cells of the target, the net and each layer, as shares of the largest number.
  const mapsOf = ({ target, states }, wanted) => {
    const state = states.findLast(({ step }) => step <= wanted);
    const largest = (several) => Math.max(...several.map((matrix) => Math.max(...matrix.map(Math.abs)))) || 1;
    const [entries, weights] = [largest([target]), largest(states.at(-1).layers)];
    const cellsOf = (matrix, of) => Array.from(matrix, (value, at) => ({ of, at, value: value / (of < 2 ? entries : weights) }));
    const cells = [target, state.product, ...state.layers].flatMap(cellsOf);
    return { cells, now: [{ updates: Math.max(1, state.step), text: `${count(state.step)} updates` }] };
  };
  let [key, run, before] = ["", null, null];
  const show = (places) => {
    const setting = Object.fromEntries(Object.entries(places).map(([name, place]) => [name, values[name]?.[place] ?? place]));
    if (setting.depth === 1) setting.imbalance = 0;
    const { help = "", ...target } = targets[setting.target] ?? ownTarget(setting);
    const wanted = JSON.stringify([{ ...setting, updates: 0, cells: "", spectrum: "" }, target.matrix]);
    if (wanted !== key) [key, before, run] = [wanted, run, train(setting, target)];
    const measured = Object.entries(dots.setting).every(([name, value]) => setting[name] === value);
    const was = Object.fromEntries(["curves", "losses", "sharpness"].map((name) => [`${name}_before`, before?.data[name] ?? []]));
    return {
      words: help + wordsOf(run, setting) + (measured ? " Dots: a net with 100 inputs and 32 hidden units on MNIST." : ""),
      data: { ...run.data, ...was, ...mapsOf(run, setting.updates), dots: measured ? dots.rows : [] },
    };
  };
  // A reader who taps a cell of the target, or of the net inside, draws an own target.
  const tap = ({ of, at }, { target }) => {
    if (of > 1) return null;
    const [cell, drawn] = [`${Math.floor(at / SIZE) + 1}${(at % SIZE) + 1}`, target === targets.length ? wordsIn(fitting.cells) : []];
    const cells = drawn.includes(cell) ? drawn.filter((each) => each !== cell) : [...drawn, cell].sort();
    return { target: targets.length, cells: cells.join(" ") };
  };
  return { show, tap };
};
