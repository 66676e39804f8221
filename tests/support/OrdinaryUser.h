#pragma once
#include <unistd.h>

/// While it lives, root is nobody: what permissions forbid is then forbidden. Changes nothing for others.
class OrdinaryUser
{
public:
    OrdinaryUser() : m_wasRoot(::geteuid() == 0)
    {
        isOne = !m_wasRoot || (::setegid(65534) == 0 && ::seteuid(65534) == 0);
    }
    ~OrdinaryUser()
    {
        if (m_wasRoot && (::seteuid(0) != 0 || ::setegid(0) != 0))
            ::_exit(99);
    }
    OrdinaryUser(const OrdinaryUser &) = delete;
    OrdinaryUser &operator=(const OrdinaryUser &) = delete;
    bool isOne = false;

private:
    bool m_wasRoot;
};
