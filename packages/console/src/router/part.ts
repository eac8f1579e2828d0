import { type ComponentType, createElement, lazy, useState } from 'react';

/** A part of these pages that is fetched on its own could not be. */
export class MissingPartError extends Error {
  override readonly name = 'MissingPartError';
}

/**
 * A page that is fetched when it is first opened. The name of its file changes with each build, so a server that was
 * updated in the meantime no longer has it.
 */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let loaded: ComponentType<Props> | undefined;
  const fetched = async () => {
    loaded ??= await load();
    return { default: loaded };
  };
  const Fetched = lazy(async () => {
    try {
      return await fetched();
    } catch (cause) {
      throw new MissingPartError('a part of the pages could not be fetched', { cause });
    }
  });
  // biome-ignore lint/correctness/noComponentHookFactories: modules call part() once for each page, at their top.
  function PartOfPages(props: Props) {
    // A page that is here already is not replaced for a moment.
    const [Page] = useState(() => loaded ?? Fetched);
    return createElement(Page as ComponentType<Props>, props);
  }
  return Object.assign(PartOfPages, { fetched });
}

/** A component that is fetched when it is first shown, or before by `fetched`. */
export type Part<Props> = ComponentType<Props> & { fetched(): Promise<unknown> };
