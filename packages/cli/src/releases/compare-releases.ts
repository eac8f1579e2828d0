/** The order of two releases (Semantic Versioning 2.0.0 §11): negative if the first one is older. */
export function compareReleases(one: string, other: string): number {
  const [a, b] = [parts(one), parts(other)];
  for (const index of [0, 1, 2]) {
    const difference = Number(a.numbers[index]) - Number(b.numbers[index]);
    if (difference !== 0) return difference;
  }
  // A release comes after its previews.
  if (a.preview === '' || b.preview === '') return Number(a.preview === '') - Number(b.preview === '');
  return a.preview.localeCompare(b.preview, 'en', { numeric: true });
}

function parts(release: string) {
  const [core = '', preview = ''] = release.replace(/\+.*/, '').split(/-(.*)/s);
  return { numbers: core.split('.'), preview };
}
