/**
 * The sets that a text most likely means: those whose group is called so, then those whose name begins so, then those
 * that only hold it; within each as they came.
 */
export function nearestSets<Row extends { readonly group: string }>(
  sets: readonly Row[],
  text: string,
  max: number,
): readonly Row[] {
  const wanted = text.toLowerCase();
  const distance = ({ group }: Row): number => {
    const id = group.toLowerCase();
    const name = id.slice(id.indexOf(':') + 1);
    if (name === wanted || id === wanted) return 0;
    return name.startsWith(wanted) || id.startsWith(wanted) ? 1 : 2;
  };
  return sets.toSorted((a, b) => distance(a) - distance(b)).slice(0, max);
}
