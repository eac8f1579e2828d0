import type { Statistics } from '@watchword/admin-client';
import { Bars } from '../../charts/bars.tsx';
import { t } from '../../texts/texts.ts';
import { Card } from './card.tsx';
import { errorText } from './error-texts.ts';

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
