import { outcomeNumber } from '../repetition-outcomes.ts';
import { insertSql } from '../sql-text.ts';
import { decides, decidesByNumber, follows } from '../statement.ts';
import { refreshTokenColumns } from '../tables.ts';
import { grantIsActive } from './grants.ts';

/** A token counts how often it was returned again, and how many rotations in a row before its own were repeated. */
const streakOfSuccessor = `(select case when repetitions > 0 then streak + 1 else 0 end
    from {decided refresh_token} where id = :predecessor_id {shard refresh_token})`;

export const refreshTokenStatements = {
  insertRefreshToken: follows(
    refreshTokenColumns,
    insertSql('refresh_token', refreshTokenColumns, { repetitions: '0', streak: '0' }),
  ),

  insertSuccessor: follows(
    { ...refreshTokenColumns, predecessor_id: 'id' },
    insertSql('refresh_token', refreshTokenColumns, { repetitions: '0', streak: streakOfSuccessor }),
  ),

  /** Rotation is decided only here: the caller whose statement changes the row rotates the token. */
  rotateRefreshToken: decides(
    { id: 'id', grant_id: 'id', now: 'number', sealed_answer: 'text', successor_id: 'id' },
    `update refresh_token set rotated_at = :now, sealed_answer = :sealed_answer, successor_id = :successor_id
      {rows} where id = :id {shard refresh_token} and grant_id = :grant_id and rotated_at is null and ${grantIsActive}
      {returning id, repetitions, streak}`,
    { key: ['id'] },
  ),

  /** Returns the number of an outcome. */
  repeatRotation: decidesByNumber(
    { id: 'id', max_repetitions: 'number', max_streak: 'number' },
    `update refresh_token set repetitions = repetitions + 1 {rows}
      where id = (select rotated.successor_id from refresh_token as rotated where rotated.id = :id {shard rotated})
        {shard refresh_token} and ${grantIsActive}
      returning case
        when rotated_at is not null then ${outcomeNumber('used')}
        when :max_streak > 0 and streak + 1 >= :max_streak then ${outcomeNumber('streak')}
        when repetitions > :max_repetitions then ${outcomeNumber('exhausted')}
        else ${outcomeNumber('answered')} end`,
    { key: ['id'], grantOf: 'id' },
  ),
};
