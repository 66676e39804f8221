#include "simulator/api/ResourceRows.h"
#include "simulator/api/Routes.h"
#include "simulator/world/Metrics.h"
#include <QJsonArray>

namespace
{
ApiAnswer list(Call &call)
{
    QJsonArray data;
    for (const auto &node : call.world.nodes)
        data.append(ResourceRows::node(call.world, node, call.may(QStringLiteral("/nodes/") + node.name, "Sys.Audit"),
                                       ResourceRows::Caller::Nodes));
    return ApiAnswer::ok(data);
}

QJsonObject cpuInfo(const ClusterNode &node)
{
    return {
        {QLatin1String("model"), QLatin1String("AMD Ryzen 7 5700G with Radeon Graphics")},
        {QLatin1String("vendor"), QLatin1String("AuthenticAMD")},
        {QLatin1String("family"), QLatin1String("25")},
        {QLatin1String("mhz"), QLatin1String("3792.874")},
        {QLatin1String("flags"),
         QLatin1String(
             "fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse sse2 ht "
             "syscall nx mmxext fxsr_opt pdpe1gb rdtscp lm constant_tsc rep_good nopl xtopology nonstop_tsc cpuid "
             "extd_apicid aperfmperf rapl pni pclmulqdq monitor ssse3 fma cx16 sse4_1 sse4_2 x2apic movbe popcnt aes "
             "xsave avx f16c rdrand lahf_lm cmp_legacy svm extapic cr8_legacy abm sse4a misalignsse 3dnowprefetch osvw "
             "ibs skinit wdt tce topoext perfctr_core perfctr_nb bpext perfctr_llc mwaitx cpb cat_l3 cdp_l3 hw_pstate "
             "ssbd mba ibrs ibpb stibp vmmcall fsgsbase bmi1 avx2 smep bmi2 erms invpcid cqm rdt_a rdseed adx smap")},
        {QLatin1String("hvm"), QLatin1String("1")},
        {QLatin1String("cores"), node.cpus / 2},
        {QLatin1String("cpus"), node.cpus},
        {QLatin1String("sockets"), 1},
        {QLatin1String("user_hz"), 100}};
}

ApiAnswer status(Call &call)
{
    const auto &node = *call.world.node(call.node());
    const auto numbers = Metrics(call.world).of(node, call.world.now() / 10 * 10);
    const auto &release = call.release().kernel;
    const auto build = QStringLiteral("#1 SMP PREEMPT_DYNAMIC PMX %1-1").arg(release.chopped(6));
    const auto load = [&](double share) { return QString::number(numbers.loadAverage * share, 'f', 2); };
    const auto swap = 8LL << 30;
    return ApiAnswer::ok(QJsonObject{
        {QLatin1String("cpu"), numbers.cpu},
        {QLatin1String("wait"), numbers.ioWait},
        {QLatin1String("idle"), 0},
        {QLatin1String("loadavg"), QJsonArray{load(1.05), load(1.0), load(0.93)}},
        {QLatin1String("uptime"), call.world.now() - node.bootedAt},
        {QLatin1String("cpuinfo"), cpuInfo(node)},
        {QLatin1String("memory"), QJsonObject{{QLatin1String("total"), node.memory},
                                              {QLatin1String("used"), numbers.memory},
                                              {QLatin1String("free"), (node.memory - numbers.memory) / 2},
                                              {QLatin1String("available"), node.memory - numbers.memory}}},
        {QLatin1String("swap"), QJsonObject{{QLatin1String("total"), swap},
                                            {QLatin1String("used"), 120LL << 20},
                                            {QLatin1String("free"), swap - (120LL << 20)}}},
        {QLatin1String("rootfs"), QJsonObject{{QLatin1String("total"), node.disk},
                                              {QLatin1String("used"), node.diskUsed},
                                              {QLatin1String("free"), node.disk - node.diskUsed},
                                              {QLatin1String("avail"), node.disk - node.diskUsed - (node.disk >> 5)}}},
        {QLatin1String("ksm"), QJsonObject{{QLatin1String("shared"), 0}}},
        {QLatin1String("boot-info"), QJsonObject{{QLatin1String("mode"), QLatin1String("legacy-bios")}}},
        {QLatin1String("kversion"), QString(QLatin1String("Linux ") + release + u' ' + build)},
        {QLatin1String("current-kernel"), QJsonObject{{QLatin1String("sysname"), QLatin1String("Linux")},
                                                      {QLatin1String("release"), release},
                                                      {QLatin1String("version"), build},
                                                      {QLatin1String("machine"), QLatin1String("x86_64")}}},
        {QLatin1String("pveversion"), call.release().manager()},
    });
}

ApiAnswer rows(Call &call)
{
    const auto &node = *call.world.node(call.node());
    return ApiAnswer::ok(
        Metrics(call.world).nodeRows(node, call.text("timeframe"), call.text("cf") == QLatin1String("MAX")));
}

ApiAnswer certificates(Call &call)
{
    QJsonArray data;
    for (const auto &paper : call.world.node(call.node())->certificates)
        data.append(paper);
    return ApiAnswer::ok(data);
}
} // namespace

void calls::addNodes(Routes &routes)
{
    routes.add("GET /nodes", list);
    routes.add("GET /nodes/{node}/status", status);
    routes.add("GET /nodes/{node}/rrddata", rows);
    routes.add("GET /nodes/{node}/certificates/info", certificates);
}
