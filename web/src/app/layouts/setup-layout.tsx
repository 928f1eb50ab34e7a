import { Box } from '@chakra-ui/react';
import { LogOut } from 'lucide-react';
import { Outlet } from 'react-router-dom';
import { LogoutButton } from './logout-button.tsx';

/** Around the page of somebody who may only set up two factors, or sign out. */
export function SetupLayout() {
  return (
    <>
      <Outlet />
      <Box mt="6">
        <LogoutButton variant="ghost" colorPalette="gray" icon={<LogOut />} />
      </Box>
    </>
  );
}
