import { type ComponentType, lazy } from 'react';

/** A part of these pages that is fetched on its own could not be. */
export class MissingPartError extends Error {
  override readonly name = 'MissingPartError';
}

/**
 * A page that is fetched when it is first opened. The name of its file changes with each build, so a server that was
 * updated in the meantime no longer has it.
 */
export function part<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw new MissingPartError('a part of the pages could not be fetched', { cause });
    }
  });
}
