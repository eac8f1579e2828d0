import { insert, update } from '../operation.ts';
import { outcomeNumber } from '../repetition-outcomes.ts';
import { decides, follows } from '../statement.ts';
import { refreshTokenColumns } from '../tables.ts';
import { grantIsActive } from './grants.ts';

const table = 'refresh_token';

export const refreshTokenStatements = {
  insertRefreshToken: follows(
    refreshTokenColumns,
    insert(table, refreshTokenColumns, { constants: { repetitions: '0', streak: '0' } }),
  ),

  insertSuccessor: follows(
    { ...refreshTokenColumns, predecessor_id: 'id' },
    insert(table, refreshTokenColumns, {
      constants: { repetitions: '0' },
      // A token counts how often it was returned again, and how many rotations in a row before its own were repeated.
      derived: {
        column: 'streak',
        expression: 'case when repetitions > 0 then streak + 1 else 0 end',
        table,
        where: (byKey) => byKey('id = :predecessor_id'),
      },
    }),
  ),

  /** Rotation is decided only here: the caller whose statement changes the row rotates the token. */
  rotateRefreshToken: decides(
    { id: 'id', grant_id: 'id', now: 'number', sealed_answer: 'text', successor_id: 'id' },
    update(
      table,
      'rotated_at = :now, sealed_answer = :sealed_answer, successor_id = :successor_id',
      (byKey) =>
        `${byKey('id = :id')} and grant_id = :grant_id and rotated_at is null and ${grantIsActive(byKey)}`,
      { leaves: ['id', 'repetitions', 'streak'] },
    ),
    { key: ['id'] },
  ),

  /** Returns the number of an outcome. */
  repeatRotation: decides(
    { id: 'id', max_repetitions: 'number', max_streak: 'number' },
    update(
      table,
      'repetitions = repetitions + 1',
      (byKey) =>
        `${byKey(`id = (select rotated.successor_id from refresh_token as rotated
        where ${byKey('rotated.id = :id', 'rotated')})`)} and ${grantIsActive(byKey)}`,
      {
        returns: `case
          when rotated_at is not null then ${outcomeNumber('used')}
          when :max_streak > 0 and streak + 1 >= :max_streak then ${outcomeNumber('streak')}
          when repetitions > :max_repetitions then ${outcomeNumber('exhausted')}
          else ${outcomeNumber('answered')} end`,
      },
    ),
    { key: ['id'], grantOf: 'id' },
  ),
};
