import type { Statistics } from '@watchword/admin-client';
import { Bars } from '../../charts/bars.tsx';
import type { TextKey } from '../../texts/parameters.ts';
import { t, textOf } from '../../texts/texts.ts';
import { Card } from './card.tsx';

export function RequestErrors({ errors }: Pick<Statistics, 'errors'>) {
  return (
    <Card title={t('overview.errors')}>
      {errors.length === 0 ? (
        <p className="quiet">{t('overview.noErrors')}</p>
      ) : (
        <>
          <Bars
            label={t('overview.errors')}
            color={3}
            bars={errors.map(({ error, requests }) => ({
              key: error,
              label: <span title={error}>{errorText(error)}</span>,
              value: requests,
            }))}
          />
          <p className="quiet card-note">{t('overview.errorsOf')}</p>
        </>
      )}
    </Card>
  );
}

/** An error of the server in a few words. An error that these pages do not know is shown by its name. */
function errorText(error: string): string {
  const key = `error.${error}`;
  const text = textOf(key as TextKey);
  return text === key ? error.replaceAll('_', ' ') : text;
}
