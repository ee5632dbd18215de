/** More edits than this are another name rather than a slip of the finger. */
const mostEdits = 2;

/** In words: the known name that was probably meant, else the known names. */
export function oneOf(known: readonly string[], written: unknown): string {
  const meant = typeof written === 'string' ? nearest(known, written) : undefined;
  if (meant !== undefined) return `${meant} (did you mean this?)`;
  if (known.length < 2) return known[0] ?? 'none';
  const named = known.slice(0, 12);
  return `one of ${named.join(', ')}${known.length > named.length ? ` and ${known.length - named.length} more` : ''}`;
}

function nearest(known: readonly string[], written: string): string | undefined {
  return known
    .filter((name) => Math.abs(name.length - written.length) <= mostEdits)
    .map((name) => ({ name, edits: edits(name.toLowerCase(), written.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= mostEdits && edits < name.length / 2)
    .sort((a, b) => a.edits - b.edits)[0]?.name;
}

/** Levenshtein distance, by the row-wise algorithm of Wagner and Fischer (1974). */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] ?? 0) + (from[index] === to[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
