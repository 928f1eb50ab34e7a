import { fileRoutes, userRoutes } from '@portal/contracts';

/** What is different once somebody has joined or left a group. */
export const membershipRoutes = [
  userRoutes.listUsers,
  userRoutes.getUser,
  userRoutes.listGroups,
  userRoutes.getGroup,
  fileRoutes.listUserFiles,
  fileRoutes.listUserFilesAhead,
] as const;
