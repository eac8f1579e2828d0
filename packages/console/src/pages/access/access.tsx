import { PageHeader } from '../../components/page-header.tsx';
import { usePerson } from '../../environment.ts';
import { AccessList } from './access-list.tsx';

export function Access() {
  const { isAdministrator } = usePerson();
  return (
    <>
      <PageHeader
        title="Access"
        lead={
          isAdministrator
            ? 'Which clients can act for which people, and since when. Access ends here, with all its tokens.'
            : 'Which of your clients can act for which people, and since when. Access ends here, with all its tokens.'
        }
      />
      <AccessList />
    </>
  );
}
