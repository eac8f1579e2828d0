import { PageHeader } from '../../components/page-header.tsx';
import { usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { AccessList } from './access-list.tsx';

export function Access() {
  const { isAdministrator } = usePerson();
  return (
    <>
      <PageHeader title={t('access.title')} lead={t(isAdministrator ? 'access.leadAll' : 'access.leadOwn')} />
      <AccessList />
    </>
  );
}
