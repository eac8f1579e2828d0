import type { ConsentAnswer, ConsentAnswerStore } from '@watchword/protocol';
import { add, type Command } from '../hot/command.ts';
import type { HotAccess } from '../hot/hot-access.ts';
import { lookup } from '../hot/lookup.ts';
import { statements } from '../hot/statements.ts';

const existence = lookup(
  { id: 'id' },
  { expires: 'number' },
  (byKey) => `authorization_code as t where ${byKey('t.id = :id', 't')}`,
);

export function hotConsentAnswers(hot: HotAccess): ConsentAnswerStore {
  return {
    isGiven: async (id) => (await hot.read(existence, { id }, () => true)) === true,

    async note(answer) {
      const command: Command = [];
      addAnswer(command, answer);
      return (await hot.write(command)) > 0;
    },
  };
}

const noVerifier = new Uint8Array();

/** Stores an answer without a code. The statement decides, so that the page is answered once. */
export function addAnswer(command: Command, { id, expires }: ConsentAnswer): void {
  add(command, statements.insertAnswer, { id, verifier_hash: noVerifier, expires });
}
