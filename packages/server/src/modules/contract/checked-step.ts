import { demand, isText } from './nonsense.ts';

/** @throws Nonsense unless it is one of the steps there are: a module may be JavaScript, with a typing error in it */
export function checkStep(step: { readonly type: string }, known: readonly string[]): void {
  const type: unknown = (step as { readonly type?: unknown } | null | undefined)?.type;
  demand(isText(type) && known.includes(type), `no step whose type is one of ${known.join(', ')}`);
}
