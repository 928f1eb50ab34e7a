import { userRoutes } from '@portal/contracts';

// The other side of the cost of operation logs: loaded into a product before all else, it has changes of a group not logged.
Object.assign(userRoutes.updateGroup, { logged: false });
