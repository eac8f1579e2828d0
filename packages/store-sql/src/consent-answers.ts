import type { ConsentAnswer, ConsentAnswerStore } from '@watchword/protocol';
import { answerKey } from './answer-key.ts';
import { add, type Command } from './hot/command.ts';
import type { HotAccess } from './hot/hot-access.ts';
import { lookup } from './hot/lookup.ts';
import { statements } from './hot/statements.ts';

const byId = lookup(
  { id: 'id', answer_key: 'text' },
  { code_found: 'number', answer_found: 'number' },
  '(select 1) as one_row',
  {
    code_found: 'case when exists (select 1 from authorization_code where id = :id) then 1 else 0 end',
    answer_found:
      'case when exists (select 1 from one_time where one_time_key = :answer_key) then 1 else 0 end',
  },
);

export function hotConsentAnswers(hot: HotAccess): ConsentAnswerStore {
  return {
    async isGiven(id) {
      const key = { id, answer_key: answerKey(id) };
      return (await hot.read(byId, key, (row) => row.code_found + row.answer_found > 0)) === true;
    },

    async note(answer) {
      const command: Command = [];
      addAnswer(command, answer);
      return (await hot.write(command)) > 0;
    },
  };
}

/** Stores an answer without a code. The statement decides, so that the page is answered once. */
export function addAnswer(command: Command, { id, expires }: ConsentAnswer): void {
  add(command, statements.insertAnswer, { id, answer_key: answerKey(id), expires });
}
