// Gradient descent of a deep linear net with 8 units in each layer: what the chart `small_net` (charts.py) computes in the
// page. As in networks/linear.py, outputs = inputs @ W1 @ … @ WL; inputs are white. A matrix is an array, row by row.
chartPrograms.small_net = ({ values, targets, matrices, dots }) => {
  const SIZE = 8;
  const WEAK = 0.1; // modes below this share of the strongest do not count as learned or not
  const LOST = 1e6; // a loss of so many times the first has diverged
  const STILL = 1e-14; // smaller updates change no digit
  const RISE = 1e-6; // a share of the loss: rounding changes it by 1e-15
  const NEAR = 0.1; // a share: a mode that is so far from its strength at most has arrived
  const SEEN = 0.01; // a share of the strongest mode: a smaller motion is not seen
  const [BEGUN, DONE] = [0.1, 0.9]; // the shares between which a mode rises
  const ROUNDING = 1e-9; // a share of the strongest mode: rounding changes singular values by 1e-15, targets by much more
  const steps = values.updates;
  const random = Object.fromEntries(Object.entries(matrices).map(([kind, each]) => [kind, each.map((matrix) => Float64Array.from(matrix))]));
  const range = (count) => [...Array(count).keys()];
  const blank = () => new Float64Array(SIZE * SIZE);
  const dot = (one, other) => one.reduce((sum, value, at) => sum + value * other[at], 0);

  // out = one @ other, where either may be transposed.
  const times = (out, one, other, turned = false, otherTurned = false) => {
    const [row, inner] = turned ? [1, SIZE] : [SIZE, 1];
    const [otherInner, column] = otherTurned ? [1, SIZE] : [SIZE, 1];
    for (let i = 0; i < SIZE; i++) {
      for (let j = 0; j < SIZE; j++) {
        let sum = 0;
        for (let k = 0; k < SIZE; k++) sum += one[i * row + k * inner] * other[k * otherInner + j * column];
        out[i * SIZE + j] = sum;
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
        const ratio = (other - one) / (2 * both);
        const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.hypot(1, ratio));
        const cosine = 1 / Math.hypot(1, tangent);
        const [old, last] = [columns[p], columns[q]];
        columns[p] = old.map((value, i) => cosine * (value - tangent * last[i]));
        columns[q] = last.map((value, i) => cosine * (value + tangent * old[i]));
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
  // (theory/unequal_layers.py).
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

  // Train the net: its states at `steps`; the updates at which it diverged, and at which the product last moved without a
  // smaller loss; and whether the loss had been a rounding error before. A layer changes after all gradients are known.
  const descend = (target, weights, rate) => {
    const depth = weights.length;
    const [products, slopes] = [0, 0].map(() => weights.map(blank));
    const [errors, states] = [[blank(), blank()], []];
    const [highest, last] = [Math.max(...target.map(Math.abs)), blank()];
    let [first, before, rose, still, least] = [null, Infinity, 0, false, Infinity];
    for (let step = 0; states.length < steps.length; step++) {
      products[0] = weights[0];
      for (let at = 1; at < depth; at++) times(products[at], products[at - 1], weights[at]);
      const product = products[depth - 1];
      let [error, loss, moved] = [errors[depth % 2], 0, 0];
      for (let i = 0; i < error.length; i++) {
        error[i] = product[i] - target[i];
        loss += error[i] ** 2;
        moved = Math.max(moved, Math.abs(product[i] - last[i]));
      }
      last.set(product);
      first ??= loss;
      least = Math.min(least, loss);
      const rounded = least < ROUNDING ** 2 * first;
      if (!(loss <= LOST * first)) return { states, diverged: step, rose, rounded };
      if (loss > (1 + RISE) * before || (step && loss > (1 - RISE) * before && moved > SEEN * highest)) rose = step;
      before = loss;
      // A net that has learned stays as it is.
      while (step === steps[states.length] || (still && states.length < steps.length)) {
        const recorded = steps[states.length];
        states.push({ step: recorded, loss: loss / first, product: product.slice(), layers: weights.map((layer) => layer.slice()) });
      }
      for (let at = depth - 1; at > 0; at--) {
        times(slopes[at], products[at - 1], error, true);
        error = times(errors[at % 2], error, weights[at], false, true);
      }
      slopes[0] = error;
      let largest = 0;
      for (let at = 0; at < depth; at++) {
        for (let i = 0; i < error.length; i++) {
          const change = rate * slopes[at][i];
          weights[at][i] -= change;
          largest = Math.max(largest, Math.abs(change));
        }
      }
      still = largest < STILL;
    }
    return { states, diverged: null, rose, rounded: least < ROUNDING ** 2 * first };
  };

  // The training of a setting: the data of its curves, of theory, and of the names at the ends of lines.
  let own = range(SIZE * SIZE).map((at) => +((at % SIZE === 1 && at < 56) || (at > 48 && at < 54)));
  const train = (setting) => {
    const { matrix: clean, names } = targets[setting.target] ?? { matrix: own, names: [] };
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
    const theory = modes.flatMap(({ value }, k) => flow(value, setting).map(([time, u]) => row(k, time, u)));
    let lowest = Infinity; // so that no name covers another
    const named = modes.flatMap(({ value }, k) => {
      const text = (setting.noise ? undefined : names[k]) ?? `mode ${k + 1}`;
      if (lowest - value / top < 0.1) return [];
      lowest = value / top;
      return [{ ...row(k, steps.at(-1), value), text }];
    });
    const ends = losses.filter(({ updates }) => setting.noise && updates === states.at(-1).step);
    const data = { curves, losses, theory: theory.filter(({ updates }) => updates >= 1), names: named, loss_names: ends };
    const edge = 2 / (top ** 2 * growthOf(top, setting.depth, setting.imbalance));
    return { data, modes, top, target, states, diverged, rose, rounded, edge, errors };
  };

  const count = (value) => value.toLocaleString("en");
  const brief = (value) => count(Number(value.toPrecision(2)));
  const updates = (value) => (value < 1.5 ? "one update or less" : `about ${brief(value)} updates`);
  // A sentence on the curves that are drawn.
  const wordsOf = ({ modes, top, states, diverged, rose, rounded, edge, errors }, setting) => {
    const { depth, rate, noise: share, size } = setting;
    if (!modes.length) return "The target is empty: tap one of its cells.";
    // With so many digits that it differs from the rate.
    const highest = [2, 3, 4].map((digits) => Number(edge.toPrecision(digits))).find((value) => value < rate);
    const grown = rounded ? ", as it enlarges rounding errors" : "";
    const limit = rate > edge ? `${grown}: in theory, the largest rate at this target is ${highest} with ${depth} layer${depth > 1 ? "s" : ""}.` : `${grown}.`;
    if (diverged !== null) return `The net diverges after ${count(diverged)} updates${limit}`;
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
    const of = (error) => (error / errors[0]).toFixed(3);
    const held = errors.at(-1) > 1.01 * least ? `, and is least, ${of(least)}, after ${updates(states[errors.indexOf(least)].step)}` : " and never rises";
    const also = share ? ` The held-out error ends at ${of(errors.at(-1))} of the first${held}.` : "";
    // A start may equal the target, or half of it, but for rounding.
    const ahead = shares.filter(([start]) => start > 0.5 - ROUNDING);
    if (ahead.length) {
      const arrived = Math.max(...shares.map((all) => states[all.findLastIndex((value) => Math.abs(value - 1) > NEAR) + 1]?.step ?? Infinity));
      const shrink = ahead.filter(([start]) => start > 1 + ROUNDING).length;
      const which = `${ahead.length} of ${strong.length} modes start at least half learned`;
      const then = arrived < Infinity ? `all have their strength, within ${100 * NEAR} %, after ${updates(arrived)}` : "not all reach their strength";
      return `${which}, and ${shrink || "none"} of them shrink${shrink === 1 ? "s" : ""}: ${then}.${also}`;
    }
    const halves = shares.map((all) => keeping(all, 0.5)).filter((time) => !Number.isNaN(time));
    if (halves.length < strong.length) return `After ${count(end.step)} updates, ${halves.length || "none"} of ${strong.length} modes are half learned.${also}`;
    const one = strong[0].count === 1 ? "The only strong mode is" : `The ${strong[0].count} equal modes are`;
    if (strong.length === 1) return `${one} half learned after ${updates(halves[0])}.${also}`;
    // A mode rises from BEGUN to DONE. On the logarithmic axis: the share of the shorter one of two neighbouring rises at
    // which both rise, below 0 if the later one begins after the earlier one.
    const rises = shares.map((all) => [BEGUN, DONE].map((wanted) => Math.log1p(keeping(all, wanted) || (all[0] < wanted && steps.at(-1)))));
    const order = range(strong.length).sort((one, other) => halves[one] - halves[other]);
    const length = ([from, to]) => Math.max(to - from, ROUNDING);
    const common = order.slice(1).map((at, before) => [rises[order[before]], rises[at]]).map(([one, next]) => (one[1] - next[0]) / Math.min(length(one), length(next)));
    const way = common.every((each) => each <= 0) ? "One by one" : common.every((each) => each >= 0.5) ? "Together" : "Overlapping";
    const last = order.at(-1);
    const times = `the strongest mode is half learned after ${updates(halves[0])}, the last after ${updates(halves[last])}`;
    // A mode that starts above half of its goal has no such time.
    const half = ({ value }, path = flow(value, setting)) => keeping(path.map(([, u]) => u), value / 2, path.map(([time]) => time));
    const [first, final] = [strong[0], strong[last]].map(({ value }) => (size < (0.5 - ROUNDING) * value ? brief(half({ value })) : ""));
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
    const wanted = JSON.stringify([{ ...setting, updates: 0 }, setting.target < targets.length || own]);
    if (wanted !== key) [key, before, run] = [wanted, run, train(setting)];
    const measured = Object.entries(dots.setting).every(([name, value]) => setting[name] === value);
    const was = { curves_before: before?.data.curves ?? [], losses_before: before?.data.losses ?? [] };
    return {
      words: wordsOf(run, setting) + (measured ? " Dots: a net with 100 inputs and 32 hidden units on MNIST." : ""),
      data: { ...run.data, ...was, ...mapsOf(run, setting.updates), dots: measured ? dots.rows : [] },
    };
  };
  // A reader who taps a cell of the target draws an own one, which links contain.
  const tap = ({ of, at }, { target }) => {
    if (of > 1) return null;
    if (target < targets.length) own.fill(0);
    own[at] = 1 - own[at];
    return { target: targets.length };
  };
  const state = ({ target }, text) => {
    if (/^[01]{64}$/.test(text)) own = Array.from(text, Number);
    return target < targets.length ? "" : own.join("");
  };
  return { show, tap, state };
};
