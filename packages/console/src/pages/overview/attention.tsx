import { Icon } from '../../components/icon.tsx';
import { Problem } from '../../components/problem.tsx';
import { Link } from '../../router/link.tsx';
import { t } from '../../texts/texts.ts';
import { useFindings } from './use-findings.ts';

/** Whether anything is wrong. */
export function Attention() {
  const { data, error, refetch } = useFindings();
  if (error !== null) return <Problem error={error} onRetry={refetch} />;
  if (data === undefined) return <p className="attention quiet">{t('overview.checking')}</p>;
  if (data.length === 0) {
    return (
      <p className="attention" data-calm>
        <Icon name="check" />
        {t('overview.calm')}
      </p>
    );
  }
  return (
    <section className="attention">
      <h2>{t('overview.attention')}</h2>
      <ul>
        {data.map(({ key, text, to, action }) => (
          <li key={key}>
            <Icon name="warning" />
            <span>
              {text} <Link to={to}>{action}</Link>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
