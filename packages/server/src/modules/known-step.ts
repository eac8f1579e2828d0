/** Throws unless a module answered with one of the steps there are. It may be JavaScript, with a typing error in it. */
export function assertKnownStep(
  step: { readonly type: string },
  module: string,
  known: readonly string[],
): void {
  const type: unknown = (step as { readonly type?: unknown } | null | undefined)?.type;
  if (typeof type === 'string' && known.includes(type)) return;
  throw new TypeError(`the ${module} returned no step whose type is one of ${known.join(', ')}`);
}
