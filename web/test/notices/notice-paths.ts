import { recordPaths } from '../../src/components/record/record-paths.ts';

export const noticePaths = recordPaths('/partner/notices');
