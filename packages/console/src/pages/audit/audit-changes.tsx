import { isEmpty, valueText } from '../../format/value.ts';
import { t } from '../../texts/texts.ts';

type State = Readonly<Record<string, unknown>> | null;

/** The changed fields, each with its values before and after the change. */
export function AuditChanges({ before, after }: { readonly before: State; readonly after: State }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const shown = names.filter((name) => !isEmpty(before?.[name]) || !isEmpty(after?.[name]));
  if (shown.length === 0) return <p className="quiet">{t('audit.unchanged')}</p>;
  return (
    <table className="changes">
      <thead>
        <tr>
          <th scope="col">{t('audit.field')}</th>
          {before !== null && <th scope="col">{t('audit.before')}</th>}
          {after !== null && <th scope="col">{t(before === null ? 'audit.value' : 'audit.after')}</th>}
        </tr>
      </thead>
      <tbody>
        {shown.map((name) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            {before !== null && (
              <td className={after === null ? undefined : 'was'}>{valueText(before[name])}</td>
            )}
            {after !== null && <td>{valueText(after[name])}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
