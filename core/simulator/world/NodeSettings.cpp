#include "simulator/world/World.h"
#include <QJsonArray>

NodeSettings &World::settingsOf(const QString &name)
{
    const auto known = m_nodeSettings.find(name);
    if (known != m_nodeSettings.end())
        return known->second;
    NodeSettings made;
    const auto *of = node(name);
    const auto address = of ? of->address : QString();
    const auto gateway = address.section(u'.', 0, 2) + QLatin1String(".1");
    made.network = {QJsonObject{{"iface", "eno1"},
                                {"type", "eth"},
                                {"active", 1},
                                {"families", QJsonArray{"inet"}},
                                {"method", "manual"},
                                {"method6", "manual"},
                                {"priority", 3}},
                    QJsonObject{{"iface", "vmbr0"},
                                {"type", "bridge"},
                                {"active", 1},
                                {"autostart", 1},
                                {"families", QJsonArray{"inet"}},
                                {"method", "static"},
                                {"method6", "manual"},
                                {"address", address},
                                {"netmask", "24"},
                                {"cidr", address + QLatin1String("/24")},
                                {"gateway", gateway},
                                {"bridge_ports", "eno1"},
                                {"bridge_stp", "off"},
                                {"bridge_fd", "0"},
                                {"priority", 4}}};
    made.dns = {{"dns1", gateway}};
    return m_nodeSettings.emplace(name, made).first->second;
}
